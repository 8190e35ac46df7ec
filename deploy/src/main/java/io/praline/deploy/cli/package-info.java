/** The praline command. Knows the programs it launches, nothing of their insides. */
package io.praline.deploy.cli;
