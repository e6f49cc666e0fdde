/** Pages with tables and figures, as text a browser shows; and JSON. */
@NullMarked
package org.lacis.report;

import org.jspecify.annotations.NullMarked;
