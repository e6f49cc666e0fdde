/** Processes of one machine, through memory they share. */
@NullMarked
package org.lacis.net.shm;

import org.jspecify.annotations.NullMarked;
