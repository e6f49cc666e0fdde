package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MainMethodTest {
  static final List<String> CALLED = new ArrayList<>();

  static class Classic {
    public static void main(String[] args) {
      CALLED.add("classic " + String.join(",", args));
    }
  }

  static class Instance {
    void main(String[] args) {
      CALLED.add("instance " + args.length);
    }
  }

  static class Bare {
    void main() {
      CALLED.add("bare");
    }
  }

  static class StaticBare {
    static void main() {
      CALLED.add("static bare");
    }
  }

  static class Both {
    static void main() {
      CALLED.add("without");
    }

    void main(String[] args) {
      CALLED.add("with");
    }
  }

  static class Inherits extends Classic {}

  interface Default {
    default void main() {
      CALLED.add("default");
    }
  }

  static class OfInterface implements Default {}

  @SuppressWarnings("unused")
  static class Private {
    private static void main(String[] args) {}
  }

  @SuppressWarnings("IncorrectMainMethod")
  static class Answers {
    static int main(String[] args) {
      return 0;
    }
  }

  static class NoConstructor {
    NoConstructor(int n) {}

    void main() {}
  }

  static class Throws {
    static void main() throws Exception {
      throw new Exception("of the program", new IllegalStateException("its cause"));
    }
  }

  @BeforeEach
  void forget() {
    CALLED.clear();
  }

  private static String call(Class<?> type, String... args) throws Throwable {
    CALLED.clear();
    MainMethod.of(type).call(args);
    return String.join(";", CALLED);
  }

  @Test
  void everyFormOfMainIsCalled() throws Throwable {
    assertThat(call(Classic.class, "a", "b")).isEqualTo("classic a,b");
    assertThat(call(Instance.class, "a", "b")).isEqualTo("instance 2");
    assertThat(call(Bare.class, "a")).isEqualTo("bare");
    assertThat(call(StaticBare.class)).isEqualTo("static bare");
    assertThat(call(Both.class)).isEqualTo("with");
    assertThat(call(Inherits.class, "c")).isEqualTo("classic c");
    assertThat(call(OfInterface.class)).isEqualTo("default");
  }

  @Test
  void whatCannotBeCalledIsNamed() {
    for (Class<?> type : List.of(Private.class, Answers.class, NoConstructor.class, Object.class)) {
      assertThatThrownBy(() -> MainMethod.of(type))
          .isInstanceOf(BootException.class)
          .hasMessageContaining(type.getName());
    }
  }

  @Test
  void whatItThrowsComesOutAsItIs() {
    assertThatThrownBy(() -> call(Throws.class))
        .isExactlyInstanceOf(Exception.class)
        .hasMessage("of the program");
  }

  @Test
  void ourFramesAreTakenOutOfItsStackTrace() {
    StackTraceElement program = new StackTraceElement("Program", "main", "Program.java", 1);
    StackTraceElement call =
        new StackTraceElement(MainMethod.class.getName(), "call", "MainMethod.java", 1);
    StackTraceElement main =
        new StackTraceElement(RankMain.class.getName(), "main", "RankMain.java", 1);
    Exception cause = new Exception();
    cause.setStackTrace(new StackTraceElement[] {program, program, call, main});
    Exception thrown = new Exception(cause);
    thrown.setStackTrace(new StackTraceElement[] {program, call, main});
    Exception elsewhere = new Exception();
    elsewhere.setStackTrace(new StackTraceElement[] {call, program});
    thrown.addSuppressed(elsewhere);
    cause.addSuppressed(thrown); // round in a circle
    OwnFrames.remove(thrown);
    assertThat(thrown.getStackTrace()).containsExactly(program);
    assertThat(cause.getStackTrace()).containsExactly(program, program);
    assertThat(elsewhere.getStackTrace()).containsExactly(call, program);
  }

  @Test
  void sentClassesAreLoadedFromTheirBytes() throws Throwable {
    String name = Bare.class.getName();
    byte[] bytes;
    try (var in = MainMethodTest.class.getResourceAsStream("MainMethodTest$Bare.class")) {
      bytes = in.readAllBytes();
    }
    ClassLoader loader =
        new BundleLoader(
            ClassBundle.unpack(ClassBundle.pack(Map.of(name, bytes))),
            MainMethodTest.class.getClassLoader());
    Class<?> type = Class.forName(name, false, loader);
    assertThat(type).isNotSameAs(Bare.class);
    assertThat(type.getClassLoader()).isSameAs(loader);
    try (var in = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(loader.loadClass(Classic.class.getName())).isSameAs(Classic.class);
  }

  @Test
  void aDamagedBundleIsNoticed() {
    byte[] bundle = ClassBundle.pack(Map.of("A", new byte[100]));
    for (int length = 0; length < bundle.length; length += 7) {
      byte[] cut = java.util.Arrays.copyOf(bundle, length);
      assertThatThrownBy(() -> ClassBundle.unpack(cut)).isInstanceOf(BootException.class);
    }
  }
}
