/** The praline command: one class a command, and the options that several share. Wires the programs and the rooms beside it. */
package io.praline.deploy.cli;
