package org.lacis.boot;

import java.util.Map;
import org.lacis.net.Probe;

/** What there is to start jobs with, for people who look for what is missing. */
public final class LauncherProbes {
  private LauncherProbes() {}

  /** Whether libpmix can be loaded, which jobs of Open MPI and PMIx servers need. */
  public static Probe pmix() {
    return Pmix.probe();
  }

  /** Which launcher an environment tells of, in a few words; nothing is connected to. */
  public static String describe(Map<String, String> env) {
    if (env.containsKey(PmiEnv.PORT) && env.containsKey(JobProcesses.JOB)) {
      return "lacis run (" + PmiEnv.PORT + ", " + JobProcesses.JOB + ")";
    }
    if (env.containsKey(PmixLauncher.NAMESPACE)) {
      return "PMIx (" + PmixLauncher.NAMESPACE + ")";
    }
    if (env.containsKey(PmiEnv.FD)) {
      return "PMI-2 or PMI-1 (" + PmiEnv.FD + ")";
    }
    return env.containsKey(PmiEnv.PORT)
        ? "PMI-2 or PMI-1 (" + PmiEnv.PORT + ")"
        : "none: a job of one rank";
  }
}
