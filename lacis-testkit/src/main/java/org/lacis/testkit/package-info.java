/** What the tests of every module share: contract suites, seeds, bounded waits. */
@NullMarked
package org.lacis.testkit;

import org.jspecify.annotations.NullMarked;
