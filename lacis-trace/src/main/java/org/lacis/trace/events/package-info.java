/** A simple format of our own, for other recorders, and one that makes it of flight recordings. */
@NullMarked
package org.lacis.trace.events;

import org.jspecify.annotations.NullMarked;
