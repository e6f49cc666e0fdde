/**
 * Who am I: the rank of this process in its job, and small values exchanged before there is a
 * network.
 */
@NullMarked
package org.lacis.boot;

import org.jspecify.annotations.NullMarked;
