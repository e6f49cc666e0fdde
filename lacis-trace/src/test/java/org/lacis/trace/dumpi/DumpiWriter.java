package org.lacis.trace.dumpi;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.CallType;
import org.lacis.trace.Field;
import org.lacis.trace.FormatVersion;

/** Writes binary files, to have ones that no recorder has made. */
public final class DumpiWriter implements CallSink {
  private static final FormatVersion VERSION = new FormatVersion(13, 0, 0);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  /** Starts a file. */
  public DumpiWriter() throws IOException {
    out.writeLong(DumpiFile.MAGIC);
    out.writeLong(0);
  }

  @Override
  public void call(Call call) throws IOException {
    CallType type = call.type();
    out.writeShort(type.id());
    out.writeByte(0x4f);
    out.writeShort(call.thread());
    time(call.cpuStart());
    time(call.cpuStop());
    time(call.wallStart());
    time(call.wallStop());
    for (Field field : type.fields()) {
      if (field.rootAt() < 0 || call.value(field.rootAt()) == call.value(type.indexOf("root"))) {
        argument(call, field);
      }
    }
  }

  /** The whole file. */
  public byte[] finish() throws IOException {
    out.writeShort(293);
    long header = out.size();
    out.write(new byte[] {(byte) VERSION.major(), (byte) VERSION.minor(), (byte) VERSION.patch()});
    out.writeLong(1_700_000_000);
    for (String text : List.of("host", "user")) {
      out.writeShort(text.length());
      out.writeBytes(text);
    }
    out.writeInt(0);
    out.writeInt(0);
    long footer = out.size();
    out.writeLong(0xF007FEE7L);
    out.write(new byte[2 * 4 * 291]);
    for (long entry : new long[] {DumpiFile.MAGIC, 0, 0, 0, header, 8, footer, 0}) {
      out.writeLong(entry);
    }
    return bytes.toByteArray();
  }

  private void time(long nanos) throws IOException {
    out.writeShort((int) (nanos / 1_000_000_000));
    out.writeInt((int) (nanos % 1_000_000_000));
  }

  private void argument(Call call, Field field) throws IOException {
    int at = field.index();
    switch (field.kind()) {
      case STATUS -> {
        int length = Math.max(call.length(at), 0);
        out.writeInt(length);
        for (int i = 0; i < length; i++) {
          out.writeInt(call.status(at, i, Call.STATUS_BYTES));
          out.writeInt(call.status(at, i, Call.STATUS_SOURCE));
          out.writeByte(call.status(at, i, Call.STATUS_CANCELLED));
          out.writeByte(call.status(at, i, Call.STATUS_ERROR));
          out.writeInt(call.status(at, i, Call.STATUS_TAG));
        }
      }
      case STRING -> text(call.text(at));
      case ARGUMENTS -> texts(call.texts(at).getFirst());
      case STRINGS -> {
        out.writeInt(call.texts(at).getFirst().size());
        texts(call.texts(at).getFirst());
      }
      case STRINGLISTS -> {
        out.writeInt(call.texts(at).size());
        for (List<String> list : call.texts(at)) {
          out.writeInt(list.size());
          texts(list);
        }
      }
      case TRIPLES -> {
        out.writeInt(call.length(at));
        for (int i = 0; i < 3 * call.length(at); i++) {
          if (i % 3 == 0) {
            out.writeInt(3);
          }
          out.writeInt(call.element(at, i));
        }
      }
      default -> {
        if (field.isArray()) {
          out.writeInt(Math.max(call.length(at), 0));
          for (int i = 0; i < call.length(at); i++) {
            number(field.kind().width(), call.element(at, i));
          }
        } else {
          number(field.kind().width(), call.value(at));
        }
      }
    }
  }

  private void texts(List<String> texts) throws IOException {
    for (String text : texts) {
      text(text);
    }
  }

  private void text(String text) throws IOException {
    byte[] encoded = text.getBytes(StandardCharsets.ISO_8859_1);
    out.writeInt(encoded.length);
    out.write(encoded);
  }

  private void number(int width, long value) throws IOException {
    switch (width) {
      case 1 -> out.writeByte((int) value);
      case 2 -> out.writeShort((int) value);
      case 4 -> out.writeInt((int) value);
      default -> out.writeLong(value);
    }
  }
}
