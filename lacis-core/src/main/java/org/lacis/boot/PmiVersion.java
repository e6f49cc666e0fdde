package org.lacis.boot;

import org.jspecify.annotations.Nullable;

/**
 * The two versions of PMI: the same requests in other words.
 *
 * <pre>
 *   PMI-1   cmd=put kvsname=k key=a value=b\n
 *   PMI-2       30cmd=kvs-put;key=a;value=b;      with the length of the rest in six characters
 * </pre>
 */
enum PmiVersion {
  ONE("put_result", "get_result", "barrier_out") {
    @Override
    PmiLine put(String job, String key, String value) {
      return PmiLine.of("put").with("kvsname", job).with("key", key).with("value", value);
    }

    @Override
    PmiLine get(String job, String key) {
      return PmiLine.of("get").with("kvsname", job).with("key", key);
    }

    @Override
    @Nullable String found(PmiLine answer) {
      return answer.number("rc") == 0 ? answer.field("value") : null;
    }

    @Override
    PmiLine fence() {
      return PmiLine.of("barrier_in");
    }

    @Override
    PmiLine abort(int code) {
      return PmiLine.of("abort").with("exitcode", code);
    }
  },

  TWO("kvs-put-response", "kvs-get-response", "kvs-fence-response") {
    @Override
    PmiLine put(String job, String key, String value) {
      return PmiLine.of("kvs-put").with("key", key).with("value", value);
    }

    @Override
    PmiLine get(String job, String key) {
      return PmiLine.of("kvs-get").with("jobid", job).with("srcid", -1).with("key", key);
    }

    @Override
    @Nullable String found(PmiLine answer) {
      return answer.number("rc") == 0 && "TRUE".equals(answer.find("found"))
          ? answer.field("value")
          : null;
    }

    @Override
    PmiLine fence() {
      return PmiLine.of("kvs-fence");
    }

    @Override
    PmiLine abort(int code) {
      return PmiLine.of("abort").with("isworld", "TRUE").with("msg", "exitcode-" + code);
    }
  };

  final String putAnswer;
  final String getAnswer;
  final String fenceEnd;

  PmiVersion(String putAnswer, String getAnswer, String fenceEnd) {
    this.putAnswer = putAnswer;
    this.getAnswer = getAnswer;
    this.fenceEnd = fenceEnd;
  }

  abstract PmiLine put(String job, String key, String value);

  abstract PmiLine get(String job, String key);

  /** The value in the answer to a get; null if there is no such key. */
  abstract @Nullable String found(PmiLine answer);

  abstract PmiLine fence();

  abstract PmiLine abort(int code);
}
