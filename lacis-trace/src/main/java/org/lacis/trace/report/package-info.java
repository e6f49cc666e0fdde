/** Reports on traces: a page to look at, and the same numbers for programs. */
@NullMarked
package org.lacis.trace.report;

import org.jspecify.annotations.NullMarked;
