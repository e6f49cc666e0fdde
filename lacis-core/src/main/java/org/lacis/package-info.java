/** What users import: the runtime, its resources, and the operations posted on them. */
@NullMarked
package org.lacis;

import org.jspecify.annotations.NullMarked;
