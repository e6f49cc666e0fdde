/** Measures Lacis and its peers in one run, sample by sample in turn. */
@NullMarked
package org.lacis.bench;

import org.jspecify.annotations.NullMarked;
