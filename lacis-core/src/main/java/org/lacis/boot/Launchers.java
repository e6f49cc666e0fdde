package org.lacis.boot;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.settings.Settings;

/**
 * Which launcher has started this process, by its environment: our own, one with PMIx, one that
 * speaks PMI-2 or PMI-1, or none.
 */
final class Launchers {
  private static final String SLURM_STEP = "SLURM_STEP_ID";
  private static final String SLURM_TASKS = "SLURM_STEP_NUM_TASKS";

  private Launchers() {}

  /**
   * Connects to the launcher; null if there is none.
   *
   * @throws BootException if there is one that cannot be talked to
   */
  static @Nullable Launcher connect(Map<String, String> env) {
    String wanted = Settings.LAUNCHER.value(env);
    return switch (wanted) {
      case "none" -> null;
      case "pmi1" -> pmi(env, PmiVersion.ONE);
      case "pmi2" -> pmi(env, PmiVersion.TWO);
      case "pmix" -> PmixLauncher.of(env, new ProcessEnd());
      default -> {
        if (env.containsKey(PmiEnv.PORT) && env.containsKey(JobProcesses.JOB)) {
          yield pmi(env, PmiVersion.ONE);
        }
        if (env.containsKey(PmixLauncher.NAMESPACE)) {
          yield PmixLauncher.of(env, new ProcessEnd());
        }
        if (env.containsKey(PmiEnv.PORT) || env.containsKey(PmiEnv.FD)) {
          yield pmi(env, PmiVersion.TWO);
        }
        refuseHalf(env);
        yield null;
      }
    };
  }

  private static Launcher pmi(Map<String, String> env, PmiVersion newest) {
    return PmiLauncher.connect(PmiEnv.of(env), newest, new ProcessEnd(), PmiClient.ANSWER);
  }

  /**
   * Without a way to talk, every process of a job of many would be a job of one: nobody wants that.
   */
  private static void refuseHalf(Map<String, String> env) {
    String alone =
        "; for processes that are to be alone, set " + Settings.LAUNCHER.variable() + "=none";
    if (isMany(env.get(PmiEnv.SIZE))) {
      throw new BootException(
          PmiEnv.SIZE
              + "="
              + env.get(PmiEnv.SIZE)
              + " is in the environment, but neither "
              + PmiEnv.FD
              + " nor "
              + PmiEnv.PORT
              + ": was it removed on the way?"
              + alone);
    }
    if (env.containsKey(SLURM_STEP) && isMany(env.get(SLURM_TASKS))) {
      throw new BootException(
          "srun has started this process as one of "
              + env.get(SLURM_TASKS)
              + " ("
              + SLURM_TASKS
              + "), but without a way to find the others: start it with srun --mpi=pmi2 or srun"
              + " --mpi=pmix (srun --mpi=list shows what there is)"
              + alone);
    }
  }

  private static boolean isMany(@Nullable String size) {
    return size != null && !size.equals("1");
  }
}
