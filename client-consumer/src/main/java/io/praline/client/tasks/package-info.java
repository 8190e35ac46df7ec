/** Which workers serve a job just now: its status, pushed from the topic. Knows Kafka, nothing of batches. */
package io.praline.client.tasks;
