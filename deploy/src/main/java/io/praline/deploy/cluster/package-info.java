/**
 * The cluster that a command talks to: which one it is, by options or as the one that {@code praline up} started and noted under
 * the user's home, and how it is asked. Starts nothing.
 */
package io.praline.deploy.cluster;
