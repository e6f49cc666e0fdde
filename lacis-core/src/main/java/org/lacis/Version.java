package org.lacis;

/** The version of this library. */
public final class Version {
  private Version() {}

  /**
   * Returns the version of this library, as its module descriptor or else its jar states it, or
   * {@code dev} where neither does.
   */
  public static String current() {
    var descriptor = Version.class.getModule().getDescriptor();
    if (descriptor != null) {
      return descriptor.rawVersion().orElse("dev");
    }
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
