/**
 * A whole cluster on this machine, in this process and in children of it that never outlive it. Knows the programs that it
 * launches, nothing of commands.
 */
package io.praline.deploy.local;
