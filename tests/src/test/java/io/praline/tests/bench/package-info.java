/** How fast things go, against something measured in the same run; each with a main of its own. */
package io.praline.tests.bench;
