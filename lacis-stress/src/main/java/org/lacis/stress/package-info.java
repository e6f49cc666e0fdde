/** Races, each with the outcomes it may have. */
@NullMarked
package org.lacis.stress;

import org.jspecify.annotations.NullMarked;
