/**
 * One attempt from its start to its end: splits go into the running graph, batches come out and are handed to delivery, what
 * cannot be read is searched for and left out. Joins assignment, graph, engine and delivery; knows nothing of topics.
 */
package io.praline.worker.attempt;
