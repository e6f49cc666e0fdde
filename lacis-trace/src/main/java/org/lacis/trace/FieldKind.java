package org.lacis.trace;

import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What an argument of a call is: how wide it is in a file, and how it is called in text. */
public enum FieldKind {
  /** A number. */
  INT("int", 4, null),
  /** A number of 64 bits. */
  LONG("int64_t", 8, null),
  /** The address of a function. */
  FUNCTION("int", 8, null),
  /** A tag of a message. */
  TAG("int", 4, v -> v == -1 ? "MPI_ANY_TAG" : null),
  /** The rank a message comes from. */
  SOURCE("int", 4, v -> v == -1 ? "MPI_ANY_SOURCE" : v == -2 ? "MPI_ROOT" : null),
  /** The rank a message goes to. */
  DEST("int", 4, v -> v == -2 ? "MPI_ROOT" : null),
  /** A request. */
  REQUEST("MPI_Request", 4, null),
  /** A request of input or output. */
  IOREQUEST("MPIO_Request", 4, null),
  /** A communicator. */
  COMM("MPI_Comm", 2, Names.of("user-defined-comm", Names.COMMS)),
  /** A type of data. */
  DATATYPE("MPI_Datatype", 2, Names.of("user-defined-datatype", Names.DATATYPES)),
  /** A group of ranks. */
  GROUP("MPI_Group", 2, Names.of("user-defined-group", Names.GROUPS)),
  /** A window of one-sided operations. */
  WIN("int", 2, v -> v == 0 ? "DUMPI_WIN_NULL" : "user-defined-win"),
  /** An info object. */
  INFO("MPI_Info", 2, v -> v >= 1 ? "user-info" : "MPI_INFO_NULL"),
  /** A file. */
  FILE("MPI_File", 2, v -> v == 0 ? "DUMPI_FILE_NULL" : "user-file"),
  /** The key of an attribute. */
  KEYVAL("int", 2, Names.of("user-defined-keyval", Names.KEYVALS)),
  /** A handler of errors. */
  ERRHANDLER("int", 2, Names::errhandler),
  /** An operation of a reduction. */
  OP("MPI_Op", 1, Names.of("user-defined-op", Names.OPS)),
  /** How two groups or communicators compare. */
  COMPARISON("int", 1, Names.of("undefined-comparison", Names.COMPARISONS)),
  /** The topology of a communicator. */
  TOPOLOGY("int", 1, Names.of("DUMPI_TOPOLOGY_ERROR", Names.TOPOLOGIES)),
  /** How a type was made. */
  COMBINER("int", 1, Names.of("DUMPI_COMBINER_ERROR", Names.COMBINERS)),
  /** What threads may do. */
  THREADLEVEL("int", 1, Names.of("DUMPI_THREADLEVEL_ERROR", Names.THREAD_LEVELS)),
  /** A class of types. */
  TYPECLASS("int", 1, Names.of("DUMPI_TYPECLASS_ERROR", Names.TYPE_CLASSES)),
  /** The order of an array. */
  ORDERING("int", 1, Names.of("DUMPI_ORDERING_ERROR", Names.ORDERINGS)),
  /** How a file is opened. */
  FILEMODE("int", 1, Names.of("DUMPI_FILEMODE_ERROR", Names.FILE_MODES)),
  /** Where a position in a file counts from. */
  WHENCE("int", 1, Names.of("DUMPI_WHENCE_ERROR", Names.WHENCES)),
  /** What a program promises of a window. */
  ASSERTION("int", 1, Names::assertion),
  /** A lock of a window. */
  LOCKTYPE("int", 1, Names.of("DUMPI_LOCKTYPE_ERROR", Names.LOCK_TYPES)),
  /** How an array is distributed. */
  DISTRIBUTION("int", 1, null),
  /** What became of a message. */
  STATUS("MPI_Status", 0, null),
  /** Text. */
  STRING("string", 0, null),
  /** Strings, as many as an argument before says. */
  ARGUMENTS("string", 0, null),
  /** Strings, with their number. */
  STRINGS("string", 0, null),
  /** Lists of strings. */
  STRINGLISTS("string", 0, null),
  /** Groups of three numbers. */
  TRIPLES("int", 0, null);

  private final String text;
  private final int width;
  private final @Nullable IntFunction<@Nullable String> namer;

  FieldKind(String text, int width, @Nullable IntFunction<@Nullable String> namer) {
    this.text = text;
    this.width = width;
    this.namer = namer;
  }

  /** The type, as dumpi2ascii prints it. */
  public String text() {
    return text;
  }

  /** Bytes of one value in a binary file; 0 if that is not fixed. */
  public int width() {
    return width;
  }

  /** What a value is called; null if it is just a number. */
  public @Nullable String nameOf(int value) {
    return namer == null ? null : namer.apply(value);
  }

  static FieldKind named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
