/** Races of shared memory's own structures, which are not public. */
package org.lacis.net.shm;
