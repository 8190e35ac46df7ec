/** The system while things are cut off, killed or fed garbage. */
package io.praline.tests.faults;
