/**
 * What a pipeline leaves to TensorFlow, written down before anything looks into it: what a step in one piece consists of, which
 * seeds are drawn by. Knows the user's graph
 * as it comes, nothing of splits and tickets.
 */
package io.praline.worker.graph.spelling;
