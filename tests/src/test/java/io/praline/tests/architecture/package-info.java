/** Who may import whom. Knows names of packages, runs nothing. */
package io.praline.tests.architecture;
