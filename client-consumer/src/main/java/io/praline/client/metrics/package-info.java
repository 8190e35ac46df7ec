/**
 * Demand and consumption: what the training loop took, waited for and is done with, as records for the topics. Knows
 * nothing of Kafka, channels or streams: time is passed in, records are given back.
 */
package io.praline.client.metrics;
