package org.lacis.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call of MPI: its number and name in traces, and its arguments. There is one object per call.
 */
public final class CallType {
  /** One more than the largest number. */
  public static final int COUNT = 293;

  /** The most arguments any call has. */
  public static final int MAX_FIELDS = 11;

  private static final Pattern FIELD =
      Pattern.compile("([\\w.]+):(\\w+)(?:\\[(\\w+)])?(?:@([\\d.]+))?(?:\\?(\\w+))?");

  private static final @Nullable CallType[] BY_ID = load();
  private static final Map<String, CallType> BY_NAME = byName();

  private final int id;
  private final String name;
  private final CallGroup group;
  private final List<Field> fields;
  private final List<Field> printed;

  private CallType(int id, String name, CallGroup group, List<Field> fields, List<Field> printed) {
    this.id = id;
    this.name = name;
    this.group = group;
    this.fields = fields;
    this.printed = printed;
  }

  /** The call with a number; null if there is none. */
  public static @Nullable CallType of(int id) {
    return id >= 0 && id < COUNT ? BY_ID[id] : null;
  }

  /** The call with a name, such as "MPI_Irecv"; null if there is none. */
  public static @Nullable CallType of(String name) {
    return BY_NAME.get(name);
  }

  /**
   * The call with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static CallType named(String name) {
    CallType type = BY_NAME.get(name);
    if (type == null) {
      throw new IllegalArgumentException("no call of MPI is named \"" + name + "\"");
    }
    return type;
  }

  /** Its number. */
  public int id() {
    return id;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** What it does for communication. */
  public CallGroup group() {
    return group;
  }

  /** Its arguments, in the order of a binary file. */
  public List<Field> fields() {
    return fields;
  }

  /** Its arguments, in the order of text. */
  public List<Field> printed() {
    return printed;
  }

  /** The argument of a name; null if the call has none. */
  public @Nullable Field field(String wanted) {
    for (Field field : fields) {
      if (field.name().equals(wanted)) {
        return field;
      }
    }
    return null;
  }

  /** The place of an argument; -1 if the call has none of that name. */
  public int indexOf(String wanted) {
    Field field = field(wanted);
    return field == null ? -1 : field.index();
  }

  @Override
  public String toString() {
    return name;
  }

  private static @Nullable CallType[] load() {
    var types = new @Nullable CallType[COUNT];
    try (var in =
            Objects.requireNonNull(CallType.class.getResourceAsStream("calls.tsv"), "calls.tsv");
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("#")) {
          CallType type = parse(line.split("\t"));
          types[type.id] = type;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return types;
  }

  private static CallType parse(String[] columns) {
    List<Field> fields = new ArrayList<>();
    if (columns.length > 3 && !columns[3].isEmpty()) {
      for (String text : columns[3].split(" ")) {
        fields.add(field(text, fields));
      }
    }
    List<Field> printed = fields;
    if (columns.length > 4) {
      printed =
          Arrays.stream(columns[4].split(" ")).map(n -> fields.get(place(n, fields))).toList();
    }
    return new CallType(
        Integer.parseInt(columns[0]),
        columns[1],
        CallGroup.named(columns[2]),
        List.copyOf(fields),
        List.copyOf(printed));
  }

  private static Field field(String text, List<Field> before) {
    Matcher m = FIELD.matcher(text);
    if (!m.matches()) {
      throw new IllegalStateException("calls.tsv: " + text);
    }
    return new Field(
        before.size(),
        m.group(1),
        FieldKind.named(m.group(2)),
        m.group(3) == null ? -1 : place(m.group(3), before),
        m.group(5) == null ? -1 : place(m.group(5), before),
        m.group(4) == null ? null : FormatVersion.parse(m.group(4)));
  }

  private static int place(String name, List<Field> fields) {
    for (Field field : fields) {
      if (field.name().equals(name)) {
        return field.index();
      }
    }
    throw new IllegalStateException("calls.tsv: " + name);
  }

  private static Map<String, CallType> byName() {
    var map = new HashMap<String, CallType>();
    for (CallType type : BY_ID) {
      if (type != null) {
        map.put(type.name, type);
      }
    }
    return map;
  }
}
