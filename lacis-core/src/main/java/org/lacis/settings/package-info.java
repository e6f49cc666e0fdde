/**
 * What can be set from outside a program, by system properties and environment variables: one
 * table, {@link org.lacis.settings.Settings}.
 */
@NullMarked
package org.lacis.settings;

import org.jspecify.annotations.NullMarked;
