/**
 * What TensorFlow has in one piece, written as what it consists of, before anything looks into a pipeline. Knows the user's graph
 * as it comes, nothing of splits and tickets.
 */
package io.praline.worker.graph.spelling;
