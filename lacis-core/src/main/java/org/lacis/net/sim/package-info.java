/**
 * Many ranks in one JVM: deterministic from a seed, in virtual time, with faults on demand. It is
 * where semantics and scale are tested; it is not fast.
 *
 * <p>One lock guards a fabric. Whatever is not public here is called with it held, unless it says
 * otherwise; sinks and packet takers are called without it, so that they may post, release and take
 * locks of their own.
 */
@NullMarked
package org.lacis.net.sim;

import org.jspecify.annotations.NullMarked;
