package org.lacis.settings;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be set from outside the program, by a system property or an environment
 * variable. Of the two the property counts; an empty one counts as none.
 *
 * @param <T> what its values are
 */
public final class Setting<T> {

  /** The {@link #source} of a value that nobody has set. */
  public static final String DEFAULT = "default";

  private final String property;
  private final String variable;
  private final String option;
  private final Rule<T> rule;
  private final T fallback;
  private final String description;

  /**
   * A setting.
   *
   * @param property its name as a system property; that of the variable follows from it
   * @param option the option in code that it stands for, such as {@code LacisOptions.ringCells};
   *     empty if there is none
   */
  Setting(String property, String option, Rule<T> rule, T fallback, String description) {
    this.property = property;
    this.variable = property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    this.option = option;
    this.rule = rule;
    this.fallback = fallback;
    this.description = description;
  }

  /** The system property. */
  public String property() {
    return property;
  }

  /** The environment variable. */
  public String variable() {
    return variable;
  }

  /** The option in code that it stands for, with its class; empty if there is none. */
  public String option() {
    return option;
  }

  /** The value if nobody sets it. */
  public T fallback() {
    return fallback;
  }

  /** The value if nobody sets it, as people write it. */
  public String shownFallback() {
    return rule.show(fallback);
  }

  /** Which values it may have. */
  public String allowed() {
    return rule.allowed();
  }

  /** What it does. */
  public String description() {
    return description;
  }

  /**
   * The value: what the system property says, or else the environment variable, or else the
   * fallback.
   *
   * @throws IllegalArgumentException if what is said is not allowed
   */
  public T value() {
    return value(System::getProperty, System::getenv);
  }

  /**
   * The value as people write it.
   *
   * @throws IllegalArgumentException if what is said is not allowed
   */
  public String shown() {
    return rule.show(value());
  }

  /** Where the value comes from: the property, the variable, or the default. */
  public String source() {
    String text = System.getProperty(property);
    if (text != null && !text.isEmpty()) {
      return "property " + property;
    }
    text = System.getenv(variable);
    return text != null && !text.isEmpty() ? "variable " + variable : DEFAULT;
  }

  /** The value, with this environment in place of that of the process. */
  public T value(Map<String, String> environment) {
    return value(System::getProperty, environment::get);
  }

  T value(
      Function<String, @Nullable String> properties,
      Function<String, @Nullable String> environment) {
    String text = properties.apply(property);
    if (text != null && !text.isEmpty()) {
      return parse(property, text);
    }
    text = environment.apply(variable);
    return text != null && !text.isEmpty() ? parse(variable, text) : fallback;
  }

  private T parse(String name, String text) {
    try {
      return rule.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + " is " + text + ", but must be " + rule.allowed(), e);
    }
  }

  /**
   * Refuses a value that the program gives and that is not allowed.
   *
   * @throws IllegalArgumentException with the name of the option, the value and what is allowed
   */
  public void check(T value) {
    if (!rule.allows(value)) {
      throw new IllegalArgumentException(
          option.substring(option.indexOf('.') + 1)
              + " must be "
              + rule.allowed()
              + ", but is "
              + value);
    }
  }
}
