/** The parts of the library alone, by JMH. */
package org.lacis.bench.micro;
