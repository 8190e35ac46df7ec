/**
 * Where a pipeline's elements come from: which of its datasets splits can feed, and whether a split read twice yields the
 * same. Knows nothing of how a task opens a split.
 */
package io.praline.worker.graph.source;
