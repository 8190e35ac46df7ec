/**
 * How a split is opened: the pass that puts queues of splits in the place of the user's readers, what travels through these
 * queues, and how files are opened. Knows the sources that were found, nothing of how they are found.
 */
package io.praline.worker.graph.source.opening;
