/** The commands that try policies: in made-up worlds, or on what was recorded, in a file or on a cluster's topics. */
package io.praline.deploy.cli.policy;
