/** The commands that try policies without a cluster. */
package io.praline.deploy.cli.policy;
