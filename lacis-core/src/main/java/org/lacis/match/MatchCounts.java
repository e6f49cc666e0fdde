package org.lacis.match;

/**
 * How messages that were matched in blocks have found their receives.
 *
 * @param blocks how many blocks there were
 * @param optimistic messages that took the receive they had booked, or found none
 * @param conflicts messages that had booked what a message before them had
 * @param fastPath messages that took the next receive of a sequence instead
 * @param slowPath messages that looked again, after those before them
 * @param leftForLater receives that were removed after the block, since another thread was at work
 *     in their bin
 */
public record MatchCounts(
    long blocks,
    long optimistic,
    long conflicts,
    long fastPath,
    long slowPath,
    long leftForLater) {}
