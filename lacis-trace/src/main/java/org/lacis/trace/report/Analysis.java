package org.lacis.trace.report;

import org.jspecify.annotations.Nullable;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.replay.ReplayResult;

/**
 * What is known of a trace.
 *
 * @param profile what its ranks did, each by itself
 * @param replay what was seen when it was played again; null if it was not
 */
public record Analysis(TraceProfile profile, @Nullable ReplayResult replay) {}
