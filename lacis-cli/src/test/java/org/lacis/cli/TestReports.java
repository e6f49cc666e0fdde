package org.lacis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What the reports of a module say has run in a build, and how it ended. */
final class TestReports {
  private final Set<String> passed = new HashSet<>();
  private boolean empty = true;

  /**
   * Reads the reports of a module.
   *
   * @param since when the build has begun: older reports are of another one
   */
  static TestReports of(Path module, Instant since) throws IOException {
    TestReports reports = new TestReports();
    Path folder = module.resolve("target/surefire-reports");
    if (Files.isDirectory(folder)) {
      List<Path> files;
      try (Stream<Path> all = Files.list(folder)) {
        files = all.filter(f -> f.getFileName().toString().matches("TEST-.*\\.xml")).toList();
      }
      for (Path file : files) {
        if (!Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
          reports.read(file);
        }
      }
    }
    return reports;
  }

  private void read(Path file) throws IOException {
    empty = false;
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = XMLInputFactory.newFactory().createXMLStreamReader(in);
      String test = "";
      boolean ended = false;
      while (xml.hasNext()) {
        int event = xml.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "testcase" -> {
              test = xml.getAttributeValue(null, "classname") + "#" + method(xml);
              ended = true;
            }
            case "failure", "error", "skipped" -> ended = false;
            default -> {}
          }
        } else if (event == XMLStreamConstants.END_ELEMENT
            && xml.getLocalName().equals("testcase")
            && ended) {
          passed.add(test);
        }
      }
      xml.close();
    } catch (XMLStreamException e) {
      throw new IOException(file + " is no report", e);
    }
  }

  /** Without the arguments and the number of a test that is run many times. */
  private static String method(XMLStreamReader testcase) {
    return testcase.getAttributeValue(null, "name").replaceFirst("[(\\[{].*", "");
  }

  /** Whether nothing has run in this build. */
  boolean isEmpty() {
    return empty;
  }

  /**
   * Whether a test has passed; of one that is run many times, once.
   *
   * @param type the name of the class that ran it
   */
  boolean passed(String type, String method) {
    return passed.contains(type + "#" + method);
  }
}
