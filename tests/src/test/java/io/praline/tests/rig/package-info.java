/** What tests of several modules stand on: programs that they run, and what those answered. Asserts nothing of Praline. */
package io.praline.tests.rig;
