package org.lacis.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Finds traces, whatever their format. */
public final class Traces {
  private Traces() {}

  /**
   * Opens the trace in a folder, or the one that a file is part of.
   *
   * @throws NoSuchFileException if there is no such folder or file
   * @throws TraceException if nothing there is a trace of a known format
   */
  public static Trace open(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString(), null, "there is no such file or folder");
    }
    List<TraceFormat> formats =
        ServiceLoader.load(TraceFormat.class).stream().map(ServiceLoader.Provider::get).toList();
    for (TraceFormat format : formats) {
      Optional<Trace> trace = format.open(path);
      if (trace.isPresent()) {
        return trace.get();
      }
    }
    throw new TraceException(
        path,
        "no trace of a known format: %s (docs/trace.md tells how their files are named)"
            .formatted(String.join(", ", formats.stream().map(TraceFormat::name).toList())));
  }
}
