/** Races of the engine's own structures, which are not public. */
package org.lacis.match;
