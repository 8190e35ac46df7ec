/** Made-up worlds from files, for trying policies without a cluster. Knows nothing of the command line. */
package io.praline.deploy.scenario;
