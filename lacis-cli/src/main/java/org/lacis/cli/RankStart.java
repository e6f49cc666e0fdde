package org.lacis.cli;

import java.util.List;
import java.util.Map;

/**
 * What it takes to start a rank.
 *
 * @param rank which one
 * @param command its command line
 * @param env what its environment has beside that of the process that starts it
 */
record RankStart(int rank, List<String> command, Map<String, String> env) {}
