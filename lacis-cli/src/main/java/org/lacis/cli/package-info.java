/** The lacis command: one class per subcommand. */
@NullMarked
package org.lacis.cli;

import org.jspecify.annotations.NullMarked;
