/**
 * What is measured: ranks that wait for commands, do what they are told, and say how long it took.
 */
@NullMarked
package org.lacis.bench.subject;

import org.jspecify.annotations.NullMarked;
