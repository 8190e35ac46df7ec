/** The {@code praline} script as a release has it: jars beside it, a Java runtime, nothing to build with. */
package io.praline.tests.release;
