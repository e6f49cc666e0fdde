package org.lacis.trace.replay;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Results as bytes, to be kept. Only those without problems are. */
final class ResultBytes {
  private ResultBytes() {}

  static byte[] write(ReplayResult result) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeLong(result.messages());
    out.writeLong(result.receives());
    out.writeLong(result.wildcards());
    out.writeLong(result.paired());
    out.writeLong(result.cancelled());
    out.writeLong(result.nobody().receives());
    out.writeLong(result.nobody().taken());
    out.writeLong(result.nobody().sends());
    out.writeLong(result.leftOut());
    out.writeInt(result.notes().size());
    for (String note : result.notes()) {
      out.writeUTF(note);
    }
    for (ReplayResult.Play play : result.plays()) {
      out.writeLong(play.matched());
      out.writeLong(play.unexpected());
      out.writeLong(play.asRecorded());
      out.writeInt(play.mostPosted());
      out.writeDouble(play.meanPosted());
      out.writeInt(play.mostUnexpected());
      out.writeDouble(play.meanUnexpected());
      out.writeLong(play.searches());
      out.writeLong(play.attempts());
      out.writeLong(play.mostAttempts());
      out.writeLong(play.blocks());
      out.writeLong(play.optimistic());
      out.writeLong(play.conflicts());
      out.writeLong(play.fastPath());
      out.writeLong(play.slowPath());
    }
    return bytes.toByteArray();
  }

  static ReplayResult read(byte[] bytes) throws IOException {
    var in = new DataInputStream(new ByteArrayInputStream(bytes));
    long messages = in.readLong();
    long receives = in.readLong();
    long wildcards = in.readLong();
    long paired = in.readLong();
    long cancelled = in.readLong();
    var nobody = new ReplayResult.Nobody(in.readLong(), in.readLong(), in.readLong());
    long leftOut = in.readLong();
    List<String> notes = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      notes.add(in.readUTF());
    }
    List<ReplayResult.Play> plays = new ArrayList<>();
    for (Engine engine : Engine.values()) {
      plays.add(
          new ReplayResult.Play(
              engine,
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readInt(),
              in.readDouble(),
              in.readInt(),
              in.readDouble(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong()));
    }
    return new ReplayResult(
        messages, receives, wildcards, paired, cancelled, nobody, leftOut, notes, plays, List.of());
  }
}
