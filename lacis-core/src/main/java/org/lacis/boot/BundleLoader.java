package org.lacis.boot;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Loads the classes that the launcher has compiled; everything else comes from the class path. */
final class BundleLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final Map<String, byte[]> classes;

  BundleLoader(Map<String, byte[]> classes, ClassLoader parent) {
    super(parent); // no name of its own: it would be in every line of a stack trace
    this.classes = classes;
  }

  /**
   * The program's own classes come first, as with java File.java: one on the class path must not
   * hide them.
   */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!classes.containsKey(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = findClass(name);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    if (name.endsWith(".class")) {
      byte[] bytes =
          classes.get(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
      if (bytes != null) {
        return new ByteArrayInputStream(bytes);
      }
    }
    return super.getResourceAsStream(name);
  }
}
