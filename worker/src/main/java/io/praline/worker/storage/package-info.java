/**
 * Files that lie elsewhere: what a store lists of them, what their content was when somebody looked, and how they come to this
 * worker's disk ahead of their turn. Knows names, splits, versions and bytes; nothing of what is in a file, nor of graphs and
 * attempts.
 */
package io.praline.worker.storage;
