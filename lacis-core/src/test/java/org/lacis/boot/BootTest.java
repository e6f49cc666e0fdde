package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BootTest {
  @Test
  void aProcessWithoutALauncherIsAJobOfOne() {
    try (Boot boot = Boot.find(Map.of());
        Boot other = Boot.find(Map.of())) {
      assertThat(boot.rank()).isZero();
      assertThat(boot.size()).isEqualTo(1);
      assertThat(boot.description()).isEqualTo("single process");
      assertThat(JobFiles.isJobId(boot.jobId())).isTrue();
      assertThat(boot.secret()).hasSize(32).isEqualTo(boot.secret()).isNotEqualTo(other.secret());
      boot.put("k", "v");
      assertThatThrownBy(() -> boot.get("k")).isInstanceOf(BootException.class);
      boot.fence(Duration.ofSeconds(1));
      assertThat(boot.get("k")).isEqualTo("v");
      assertThatThrownBy(() -> other.get("k")).isInstanceOf(BootException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PMI_PORT,nowhere,host:port",
    "PMI_PORT,:80,host:port",
    "PMI_PORT,localhost:http,PMI_PORT holds",
    "PMI_PORT,localhost:99999,PMI_PORT holds",
    "PMI_RANK,2,PMI_RANK holds",
    "PMI_RANK,-1,PMI_RANK holds",
    "PMI_SIZE,0,PMI_SIZE holds",
    "PMI_SIZE,many,PMI_SIZE holds",
    "PMI_SIZE,,PMI_SIZE is missing",
    "PMI_RANK,,PMI_RANK is missing",
    "PMI_ID,a b,PMI_ID"
  })
  void aBadEnvironmentIsNamed(String name, String value, String message) {
    Map<String, String> env = new HashMap<>();
    env.put("PMI_PORT", "127.0.0.1:1");
    env.put("PMI_RANK", "1");
    env.put("PMI_SIZE", "2");
    env.put("PMI_ID", "token");
    if (value == null) {
      env.remove(name);
    } else {
      env.put(name, value);
    }
    assertThatThrownBy(() -> Boot.find(env))
        .isInstanceOf(BootException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "PMI_FD=7 PMI_RANK=0 PMI_SIZE=2,descriptor 7 (PMI_FD): is it the child of a rank?",
    "PMI_FD=x PMI_RANK=0 PMI_SIZE=2,PMI_FD holds",
    "PMI_FD=7 PMI_RANK=0,'PMI_SIZE is missing from the environment, although PMI_FD is there'",
    "PMI_RANK=0 PMI_SIZE=2,'PMI_SIZE=2 is in the environment, but neither PMI_FD nor PMI_PORT'",
    "SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4,srun --mpi=pmi2",
    "LACIS_LAUNCHER=pmi1,neither PMI_PORT nor PMI_FD is in the environment",
    "LACIS_LAUNCHER=hydra,'LACIS_LAUNCHER is hydra, but must be one of'"
  })
  void aLauncherThatCannotBeTalkedToIsExplained(String variables, String message) {
    assertThatThrownBy(() -> Boot.find(env(variables))).hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LACIS_LAUNCHER=none PMI_FD=7 PMI_RANK=0 PMI_SIZE=2",
        "LACIS_LAUNCHER=none SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4",
        "SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1",
        "SLURM_PROCID=0 SLURM_NTASKS=4",
        "PMI_RANK=0 PMI_SIZE=1"
      })
  void whoIsToBeAloneIsAlone(String variables) {
    try (Boot boot = Boot.find(env(variables))) {
      assertThat(boot.size()).isEqualTo(1);
    }
  }

  private static Map<String, String> env(String variables) {
    Map<String, String> env = new HashMap<>();
    for (String variable : variables.split(" ")) {
      env.put(
          variable.substring(0, variable.indexOf('=')),
          variable.substring(variable.indexOf('=') + 1));
    }
    return env;
  }

  @Test
  void ranksAreWrittenAsPeopleDo() {
    BitSet ranks = new BitSet();
    assertThat(Ranks.named(ranks)).isEqualTo("no rank");
    ranks.set(3);
    assertThat(Ranks.named(ranks)).isEqualTo("rank 3");
    ranks.set(0);
    assertThat(Ranks.named(ranks)).isEqualTo("ranks 0, 3");
    ranks.set(0, 5);
    ranks.set(7, 9);
    assertThat(Ranks.named(ranks)).isEqualTo("ranks 0-4, 7, 8");
  }
}
