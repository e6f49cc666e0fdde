/** Traces of MPI programs: what is in them, and the formats they come in. */
@NullMarked
package org.lacis.trace;

import org.jspecify.annotations.NullMarked;
