/**
 * A whole cluster on this machine, in this process and in children of it that never outlive it. Knows the programs that it
 * launches, and of commands only how they fail.
 */
package io.praline.deploy.local;
