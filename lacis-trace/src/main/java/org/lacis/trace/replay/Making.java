package org.lacis.trace.replay;

import java.util.List;

/**
 * Something that makes a communicator or a group.
 *
 * @param call the name of the call, without MPI_
 * @param from the communicator or group it is made from
 * @param to what is made
 * @param other the other group, if two are used
 * @param color of a split, and key
 * @param numbers ranks, dimensions, or ranges
 */
record Making(
    String call, int from, int to, int other, int color, int key, List<Integer> numbers) {}
