package org.lacis.boot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The classes of a program as one block of bytes. The launcher compiles a source file once, in
 * memory, and sends the result to each rank: there is no folder of class files that could be left
 * behind.
 *
 * <pre>
 *   int count, then count times: name (DataOutput.writeUTF), int length, length bytes
 * </pre>
 */
public final class ClassBundle {
  private ClassBundle() {}

  /** Packs class files by the binary names of their classes. */
  public static byte[] pack(Map<String, byte[]> classes) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(classes.size());
      for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
        out.writeUTF(entry.getKey());
        out.writeInt(entry.getValue().length);
        out.write(entry.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a class has a name that is too long", e);
    }
    return bytes.toByteArray();
  }

  static Map<String, byte[]> unpack(byte[] bundle) {
    Map<String, byte[]> classes = new HashMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bundle))) {
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        String name = in.readUTF();
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
          throw new BootException(
              "the classes sent by the launcher are damaged: "
                  + name
                  + " has "
                  + length
                  + " bytes");
        }
        classes.put(name, in.readNBytes(length));
      }
    } catch (IOException e) {
      throw new BootException("the classes sent by the launcher are damaged", e);
    }
    return classes;
  }
}
