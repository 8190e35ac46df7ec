/**
 * Attempts from their start to their end: splits go into the running graph, batches come out and are handed to delivery, what
 * cannot be read is searched for and left out. {@link io.praline.worker.attempt.Attempts} has all of a worker's, and passes on
 * what commands say of other matters. Joins planning, assignment, storage, cache, graph, engine, delivery and metrics; knows nothing of
 * how commands come and beats go.
 */
package io.praline.worker.attempt;
