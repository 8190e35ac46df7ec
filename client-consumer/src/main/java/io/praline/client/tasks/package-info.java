/**
 * The cluster's topics as a client has them, and which workers serve a job just now: its status, pushed from the topic. Knows
 * Kafka, nothing of batches.
 */
package io.praline.client.tasks;
