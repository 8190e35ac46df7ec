/**
 * The praline command: a class for each command, for small ones of one matter a class together, the options that several share,
 * and what commands start beside themselves. Wires the programs and the rooms beside it.
 */
package io.praline.deploy.cli;
