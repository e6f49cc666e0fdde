/**
 * What users import: the runtime, its resources, the operations and their completion.
 *
 * <p>Start with {@link org.lacis.Lacis#open()}.
 */
@NullMarked
package org.lacis;

import org.jspecify.annotations.NullMarked;
