/**
 * What lies elsewhere, on this worker's disk: contents that are brought there ahead of their turn, kept while there is room, and
 * let go; where large ones may be cut; copies of what was written to a bucket. Knows splits and versions; nothing of graphs and
 * attempts.
 */
package io.praline.worker.storage.stage;
