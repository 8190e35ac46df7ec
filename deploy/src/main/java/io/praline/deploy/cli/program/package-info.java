/** The commands that are one program of a cluster each, until they are ended: dispatcher, worker, actuator. */
package io.praline.deploy.cli.program;
