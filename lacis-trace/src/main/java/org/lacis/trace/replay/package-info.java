/** A run played again: which send met which receive, and when messages arrived. */
@NullMarked
package org.lacis.trace.replay;

import org.jspecify.annotations.NullMarked;
