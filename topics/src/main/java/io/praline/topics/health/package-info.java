/**
 * What is off between topics, offsets, state and transactions on a Kafka, and what can be mended of it without loss. Asks
 * Kafka and changes nothing unless told to; knows of jobs whether they are told as open, and nothing more.
 */
package io.praline.topics.health;
