/**
 * How deep the queues of posted receives are, rank by rank: what a matching engine with hashed bins
 * would have to search.
 */
@NullMarked
package org.lacis.trace.depth;

import org.jspecify.annotations.NullMarked;
