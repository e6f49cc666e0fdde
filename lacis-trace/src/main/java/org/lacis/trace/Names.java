package org.lacis.trace;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The names of numbers that stand for something; a name is at the place of its number. */
final class Names {
  static final String COMMS = "COMM_ERROR COMM_NULL COMM_WORLD COMM_SELF";
  static final String GROUPS = "GROUP_ERROR GROUP_NULL GROUP_EMPTY";
  static final String DATATYPES =
      "DATATYPE_ERROR DATATYPE_NULL CHAR SIGNED_CHAR UNSIGNED_CHAR BYTE WCHAR SHORT UNSIGNED_SHORT"
          + " INT UNSIGNED LONG UNSIGNED_LONG FLOAT DOUBLE LONG_DOUBLE LONG_LONG_INT"
          + " UNSIGNED_LONG_LONG LONG_LONG PACKED LB UB FLOAT_INT DOUBLE_INT LONG_INT SHORT_INT"
          + " 2INT LONG_DOUBLE_INT";
  static final String KEYVALS =
      "TAG_UB HOST IO WTIME_IS_GLOBAL UNIVERSE_SIZE LASTUSEDCODE APPNUM WIN_BASE WIN_SIZE"
          + " WIN_DISP_UNIT";
  static final String OPS =
      "OP_ERROR MAX MIN SUM PROD LAND BAND LOR BOR LXOR BXOR MINLOC MAXLOC REPLACE OP_NULL";
  static final String COMPARISONS = "COMPARISON_ERROR IDENT CONGRUENT SIMILAR UNEQUAL";
  static final String TOPOLOGIES = "- GRAPH CART UNDEFINED";
  static final String COMBINERS =
      "COMBINER_ERROR COMBINER_NAMED COMBINER_DUP COMBINER_CONTIGUOUS COMBINER_VECTOR"
          + " COMBINER_HVECTOR_INTEGER COMBINER_HVECTOR COMBINER_INDEXED COMBINER_HINDEXED_INTEGER"
          + " COMBINER_HINDEXED COMBINER_INDEXED_BLOCK COMBINER_STRUCT_INTEGER COMBINER_STRUCT"
          + " COMBINER_SUBARRAY COMBINER_DARRAY COMBINER_F90_REAL COMBINER_F90_COMPLEX"
          + " COMBINER_F90_INTEGER COMBINER_RESIZED";
  static final String THREAD_LEVELS =
      "- THREAD_SINGLE THREAD_FUNNELED THREAD_SERIALIZED THREAD_MULTIPLE";
  static final String TYPE_CLASSES = "- TYPECLASS_REAL TYPECLASS_INTEGER TYPECLASS_COMPLEX";
  static final String ORDERINGS = "- ORDER_C ORDER_FORTRAN";
  static final String FILE_MODES =
      "- MODE_RDONLY MODE_RDWR MODE_WRONLY MODE_CREATE MODE_EXCL MODE_DELETE_ON_CLOSE"
          + " MODE_UNIQUE_OPEN MODE_SEQUENTIAL MODE_APPEND";
  static final String WHENCES = "- SEEK_SET SEEK_CUR SEEK_END";
  static final String LOCK_TYPES = "- LOCK_SHARED LOCK_EXCLUSIVE";

  private static final String[] ASSERTIONS = {
    "NOCHECK", "NOSTORE", "NOPUT", "NOPRECEDE", "NOSUCCEED"
  };

  private Names() {}

  /** Names from a list; a number without one, or whose name is "-", is called otherwise. */
  static IntFunction<@Nullable String> of(String otherwise, String list) {
    String[] names = list.split(" ");
    return value ->
        value >= 0 && value < names.length && !names[value].equals("-")
            ? "MPI_" + names[value]
            : otherwise;
  }

  static String errhandler(int value) {
    return value >= 2
        ? "user-defined-errhandler"
        : value == 1 ? "MPI_ERRHANDLER_NULL" : "DUMPI_ERRHANDLER_ERROR";
  }

  static String assertion(int value) {
    if (value < 0 || value >= 1 << ASSERTIONS.length) {
      return "DUMPI_MODE_ERROR";
    }
    return value == 0
        ? "DUMPI_MODE_NONE"
        : IntStream.range(0, ASSERTIONS.length)
            .filter(bit -> (value >> bit & 1) != 0)
            .mapToObj(bit -> "MPI_MODE_" + ASSERTIONS[bit])
            .collect(Collectors.joining("|"));
  }
}
