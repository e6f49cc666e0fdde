/** Events for the JDK's Flight Recorder. Only {@link org.lacis.engine.jfr.Trace} makes them. */
@NullMarked
package org.lacis.engine.jfr;

import org.jspecify.annotations.NullMarked;
