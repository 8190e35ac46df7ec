/**
 * One job's whole life in virtual time, from a seed: the real dispatcher's turns and rows, the real worker's attempts and
 * outboxes, the real client's streams and channels, with encoded records and frames between them. Pretended are TensorFlow,
 * sockets, Kafka and threads. What goes wrong is a list of {@code Fault}s; a {@code Witness} knows what every loop was given.
 */
package io.praline.tests.simulation;
