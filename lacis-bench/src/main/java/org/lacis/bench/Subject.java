package org.lacis.bench;

import java.util.List;

/** Something to be measured: a library, by the command that starts a program that uses it. */
interface Subject {
  /** Its name in tables and data. */
  String name();

  /** What kind it is. */
  Family family();

  /** Whether it can be measured like that. */
  boolean knows(Measure measure);

  /** The command that starts ranks that wait to be told what to do. */
  Start start(Setup setup) throws SubjectException;

  /** The command that starts so many ranks of a program that says hello; empty if there is none. */
  default List<String> hello(int ranks) {
    return List.of();
  }
}
