/**
 * A job's whole life in virtual time, from a seed, or that of two that share workers, or are in two pools: the real dispatcher's turns and rows, the real worker's attempts and
 * outboxes, the real client's streams and channels, with encoded records and frames between them. Pretended are TensorFlow,
 * what it measures of other orders, sockets, Kafka and threads; not there are planners, buckets, and what Python does. Entries are real ones, in folders. What goes wrong is a list of {@code Fault}s; a {@code Witness} knows what every loop was given.
 */
package io.praline.tests.simulation;
