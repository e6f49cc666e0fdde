package org.lacis.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds and calls the main method of a class as the java command does (JEP 512): with or without
 * arguments, static or not, declared or inherited, anything but private.
 */
final class MainMethod {
  private final Method method;
  private final @Nullable Constructor<?> constructor;

  private MainMethod(Method method, @Nullable Constructor<?> constructor) {
    this.method = method;
    this.constructor = constructor;
  }

  /** Throws {@link BootException} with the reason if the class cannot be started. */
  static MainMethod of(Class<?> type) {
    Method method = find(type, String[].class);
    if (method == null) {
      method = find(type);
    }
    if (method == null) {
      throw new BootException(
          "no main method in class "
              + type.getName()
              + ": define one as  void main()  or  public static void main(String[] args)");
    }
    if (method.getReturnType() != void.class) {
      throw new BootException("the main method in class " + type.getName() + " must return void");
    }
    method.setAccessible(true);
    return new MainMethod(
        method, Modifier.isStatic(method.getModifiers()) ? null : constructor(type));
  }

  private static @Nullable Method find(Class<?> type, Class<?>... parameters) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      Method method = declared(c, parameters);
      if (method != null && visible(method, c, type)) {
        return method;
      }
    }
    try {
      return type.getMethod("main", parameters); // the default method of an interface
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static @Nullable Method declared(Class<?> type, Class<?>... parameters) {
    try {
      return type.getDeclaredMethod("main", parameters);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static boolean visible(Method method, Class<?> declaring, Class<?> type) {
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers) || Modifier.isAbstract(modifiers)) {
      return false;
    }
    return declaring == type
        || Modifier.isPublic(modifiers)
        || Modifier.isProtected(modifiers)
        || (declaring.getPackageName().equals(type.getPackageName())
            && Objects.equals(declaring.getClassLoader(), type.getClassLoader()));
  }

  private static Constructor<?> constructor(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      if (!Modifier.isAbstract(type.getModifiers())
          && !Modifier.isPrivate(constructor.getModifiers())) {
        constructor.setAccessible(true);
        return constructor;
      }
    } catch (NoSuchMethodException e) {
      // said below
    }
    throw new BootException(
        "the main method in class "
            + type.getName()
            + " is not static, so the class needs a constructor without arguments");
  }

  /**
   * Calls it. What it throws comes out as it is: method handles wrap nothing and leave no frames
   * behind.
   */
  void call(String[] args) throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle main = lookup.unreflect(method);
    if (constructor != null) {
      Object program = lookup.unreflectConstructor(constructor).invoke();
      main = main.bindTo(program);
    }
    if (method.getParameterCount() == 0) {
      main.invoke();
    } else {
      main.invoke(args);
    }
  }
}
