/**
 * Operations that all ranks of a group take part in: barrier, broadcast, reductions, gathering,
 * scattering, all-to-all, scans. They are {@linkplain org.lacis.Graph graphs} of sends and
 * receives, made of what any program can use.
 *
 * <p>Start with {@link org.lacis.collective.Collectives#of}.
 */
@NullMarked
package org.lacis.collective;

import org.jspecify.annotations.NullMarked;
