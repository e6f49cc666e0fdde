/** Jobs on several hosts: one network within each host, and another one between them. */
@NullMarked
package org.lacis.net.mixed;

import org.jspecify.annotations.NullMarked;
