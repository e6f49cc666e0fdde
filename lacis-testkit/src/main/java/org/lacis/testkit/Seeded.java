package org.lacis.testkit;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Hands tests a {@link RandomGenerator} of the run's seed, and names the seed where such a test
 * fails.
 *
 * <pre>{@code
 * @ExtendWith(Seeded.class)
 * class QueueTest {
 *   @Test
 *   void takesWhatWasPut(RandomGenerator random) { … }
 * }
 * }</pre>
 */
public final class Seeded implements ParameterResolver, TestExecutionExceptionHandler {
  /** Used by JUnit. */
  public Seeded() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RandomGenerator.class;
  }

  @Override
  public RandomGenerator resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return Seeds.random(context.getUniqueId() + "#" + parameter.getIndex());
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    failure.addSuppressed(new SeedNote());
    throw failure;
  }

  /** Shown below the failure's stack trace. */
  static final class SeedNote extends Exception {
    private static final long serialVersionUID = 1;

    SeedNote() {
      super("repeat with " + Seeds.option(), null, false, false);
    }
  }
}
