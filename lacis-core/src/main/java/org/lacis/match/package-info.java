/** Matching engines: which receive takes which message. */
@NullMarked
package org.lacis.match;

import org.jspecify.annotations.NullMarked;
