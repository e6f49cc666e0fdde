/**
 * Protocols, progress, packets and backlog: what happens between a posting call and the network.
 * Not exported.
 */
@NullMarked
package org.lacis.engine;

import org.jspecify.annotations.NullMarked;
