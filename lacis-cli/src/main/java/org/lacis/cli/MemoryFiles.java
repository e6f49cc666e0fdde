package org.lacis.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;

/** Keeps the class files that the compiler writes. */
final class MemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
  private final Map<String, ByteArrayOutputStream> written = new LinkedHashMap<>();

  MemoryFiles(StandardJavaFileManager files) {
    super(files);
  }

  /** Class files by the binary names of their classes. */
  Map<String, byte[]> classes() {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    for (Map.Entry<String, ByteArrayOutputStream> entry : written.entrySet()) {
      classes.put(entry.getKey(), entry.getValue().toByteArray());
    }
    return classes;
  }

  @Override
  public JavaFileObject getJavaFileForOutput(
      JavaFileManager.Location location,
      String className,
      JavaFileObject.Kind kind,
      FileObject sibling) {
    return new SimpleJavaFileObject(
        URI.create("memory:///" + written.size() + kind.extension), kind) {
      @Override
      public OutputStream openOutputStream() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        written.put(className, bytes);
        return bytes;
      }
    };
  }
}
