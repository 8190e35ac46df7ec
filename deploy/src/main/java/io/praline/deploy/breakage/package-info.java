/** Ends what waits for a cluster of this machine that has broken for good. Must not know what of a cluster breaks. */
package io.praline.deploy.breakage;
