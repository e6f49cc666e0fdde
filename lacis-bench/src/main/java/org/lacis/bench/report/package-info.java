/** Charts, as text a browser shows. */
@NullMarked
package org.lacis.bench.report;

import org.jspecify.annotations.NullMarked;
