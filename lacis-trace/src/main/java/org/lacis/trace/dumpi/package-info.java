/** DUMPI traces: the binary files of the recorder, and the text that dumpi2ascii makes of them. */
@NullMarked
package org.lacis.trace.dumpi;

import org.jspecify.annotations.NullMarked;
