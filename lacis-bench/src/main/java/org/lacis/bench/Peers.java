package org.lacis.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for peers on this machine, and makes them ready. */
final class Peers {
  /** The names by which peers are chosen. */
  static final Set<String> NAMES = Set.of("mpich", "openmpi", "openmpi-ucx", "aeron", "libfabric");

  private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+\\w*");

  private final BenchOptions options;
  private final JavaSubjects java;
  private final Path folder;
  private final Processes processes;
  private final List<Subject> found = new ArrayList<>();
  private final Map<String, String> missing = new LinkedHashMap<>();
  private final Map<String, String> versions = new LinkedHashMap<>();

  Peers(BenchOptions options, JavaSubjects java, Path folder, Processes processes) {
    this.options = options;
    this.java = java;
    this.folder = folder;
    this.processes = processes;
  }

  /** Peers that were found, by {@link #find}. */
  List<Subject> found() {
    return found;
  }

  /** Peers that were not, by name, with what gives them. */
  Map<String, String> missing() {
    return missing;
  }

  /** The versions of all peers that were ever found, by name. */
  Map<String, String> versions() {
    return versions;
  }

  private void found(Subject peer, String versionText) {
    found.add(peer);
    Matcher version = VERSION.matcher(versionText);
    versions.put(peer.name(), version.find() ? version.group() : "unknown");
  }

  /** Looks for peers that work over a network. */
  Peers find(String network) throws InterruptedException {
    found.clear();
    missing.clear();
    if (network.equals("shm") || network.equals("tcp")) {
      mpich(network);
      openMpi(network);
      aeron(network);
    }
    libfabric(network);
    return this;
  }

  private boolean wants(String name) {
    return options.peers() == null || options.peers().contains(name);
  }

  private void aeron(String network) {
    if (!wants("aeron")) {
      return;
    }
    if (options.peerJars().isEmpty()) {
      missing.put("aeron", "is not measured: the lacis script puts its jars beside its own");
    } else {
      // Jars are sorted, and Aeron's own come first.
      found(java.aeron(network), String.valueOf(options.peerJars().getFirst().getFileName()));
    }
  }

  /** With Lacis over libfabric, its provider for TCP: the one that needs no hardware. */
  private void libfabric(String network) throws InterruptedException {
    if (!wants("libfabric")) {
      return;
    }
    List<String> compiler = Cores.onPath("cc");
    if (compiler.isEmpty() || !Files.exists(Path.of("/usr/include/rdma/fabric.h"))) {
      missing.put("libfabric", "is not measured: install the packages gcc libc6-dev libfabric-dev");
      return;
    }
    try {
      Path program =
          CompiledPeer.compile(
              processes, compiler, "fabric_peer.c", folder, "fabric_peer", "-lfabric");
      String provider = network.equals("ofi") ? provider() : network;
      found(new FabricSubject(provider, program, java), said("fi_info"));
    } catch (SubjectException e) {
      missing.put("libfabric", "is not measured: " + e.getMessage());
    }
  }

  private static String provider() {
    return System.getenv().getOrDefault("LACIS_OFI_PROVIDER", "tcp");
  }

  private void mpich(String network) throws InterruptedException {
    List<String> transport =
        network.equals("tcp")
            ? List.of("-env", "MPIR_CVAR_NOLOCAL", "1", "-env", "UCX_TLS", "tcp,self")
            : List.of();
    if (wants("mpich")) {
      mpi("mpich", "mpich", "HYDRA", "mpich libmpich-dev", MpiSubject.Flavour.MPICH, transport);
    }
  }

  private void openMpi(String network) throws InterruptedException {
    boolean tcp = network.equals("tcp");
    if (wants("openmpi")) {
      openMpi(
          "openmpi",
          tcp
              ? List.of("--mca", "pml", "ob1", "--mca", "btl", "self,tcp", "--mca", "osc", "pt2pt")
              : List.of("--mca", "pml", "ob1"));
    }
    if (wants("openmpi-ucx") && !tcp) {
      openMpi(
          "openmpi-ucx",
          List.of(
              "--mca",
              "pml",
              "ucx",
              "--mca",
              "pml_ucx_tls",
              "any",
              "--mca",
              "pml_ucx_devices",
              "any",
              "-x",
              "UCX_TLS=sm,self"));
    }
  }

  private void openMpi(String name, List<String> transport) throws InterruptedException {
    List<String> options = new ArrayList<>(transport);
    options.addAll(List.of("--mca", "orte_tmpdir_base", folder.toString()));
    for (String part : List.of("btl_vader", "btl_sm", "osc_sm", "osc_rdma")) {
      options.addAll(List.of("--mca", part + "_backing_directory", java.shared().toString()));
    }
    mpi(
        name,
        "openmpi",
        "Open MPI",
        "openmpi-bin libopenmpi-dev",
        MpiSubject.Flavour.OPEN_MPI,
        options);
  }

  /**
   * Looks for an MPI: by the names Debian gives its commands, which may have several, else by the
   * usual ones if they are of the right one.
   */
  private void mpi(
      String name,
      String suffix,
      String mark,
      String packages,
      MpiSubject.Flavour flavour,
      List<String> transport)
      throws InterruptedException {
    List<String> compiler = Cores.onPath("mpicc." + suffix);
    List<String> launcher = Cores.onPath("mpiexec." + suffix);
    if (compiler.isEmpty() || launcher.isEmpty()) {
      compiler = Cores.onPath("mpicc");
      launcher = Cores.onPath("mpiexec");
      if (compiler.isEmpty() || launcher.isEmpty() || !said(launcher.getFirst()).contains(mark)) {
        missing.put(name, "is not measured: install the packages " + packages);
        return;
      }
    }
    try {
      Path program =
          CompiledPeer.compile(processes, compiler, "mpi_peer.c", folder, "mpi_peer." + suffix);
      found(
          new MpiSubject(name, launcher.getFirst(), program, flavour, transport),
          said(launcher.getFirst()));
    } catch (SubjectException e) {
      missing.put(
          name,
          "is not measured: install the packages " + packages + ", all of them: " + e.getMessage());
    }
  }

  /** What a command says if it is asked for its version. */
  private String said(String command) throws InterruptedException {
    return CompiledPeer.output(processes, List.of(command, "--version"), folder.resolve("version"));
  }
}
