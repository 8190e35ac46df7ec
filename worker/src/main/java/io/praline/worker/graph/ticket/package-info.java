/**
 * Tickets of elements: how each of a pipeline's datasets carries them from the source, where they are made, to the batches,
 * and what a graph tells of elements that never come out.
 */
package io.praline.worker.graph.ticket;
