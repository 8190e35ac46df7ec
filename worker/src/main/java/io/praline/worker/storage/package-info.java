/**
 * Files, this host's and such as lie elsewhere: what a store lists of them, what their content was when somebody looked, where
 * large ones may be cut, and how they come to this worker's disk ahead of their turn; and what is written to a bucket, with
 * copies of it near. Knows names, splits, versions and bytes; nothing of what records hold, nor of graphs and attempts.
 */
package io.praline.worker.storage;
