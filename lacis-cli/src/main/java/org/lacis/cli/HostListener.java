package org.lacis.cli;

/** Is told what happens on other hosts, from any thread. */
interface HostListener extends RankGroup.EndListener {
  /** A rank could not be started. */
  void notStarted(int rank, String why);

  /** A host is lost, or its agent has failed. */
  void hostFailed(Hosts.Host host, String why);
}
