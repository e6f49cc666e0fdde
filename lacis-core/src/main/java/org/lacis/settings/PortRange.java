package org.lacis.settings;

/**
 * Ports to choose from.
 *
 * @param first the least; 0 for any that is free, and then the last is 0 too
 * @param last the greatest
 */
public record PortRange(int first, int last) {

  /** Whichever is free. */
  public static final PortRange ANY = new PortRange(0, 0);

  private static final int GREATEST = 65_535;

  static final Rule<PortRange> RULE =
      new Rule<>() {
        @Override
        public PortRange parse(String text) {
          if (text.equals("any")) {
            return ANY;
          }
          int dash = text.indexOf('-');
          int first = Integer.parseInt(dash < 0 ? text : text.substring(0, dash));
          int last = dash < 0 ? first : Integer.parseInt(text.substring(dash + 1));
          if (!allows(new PortRange(first, last))) {
            throw new IllegalArgumentException();
          }
          return new PortRange(first, last);
        }

        @Override
        public boolean allows(PortRange value) {
          return value.first > 0 && value.first <= value.last && value.last <= GREATEST;
        }

        @Override
        public String allowed() {
          return "any, a port, or a range such as 7000-7099";
        }

        @Override
        public String show(PortRange value) {
          return value.equals(ANY) ? "any" : value.first + "-" + value.last;
        }
      };
}
