/**
 * Where a pipeline's elements come from: which of its datasets splits can feed, whether a split read twice yields the same,
 * and the pass that puts queues of splits in the place of the user's readers.
 */
package io.praline.worker.graph.source;
