/**
 * What a job will read: files as this worker sees them, the records in them, and the splits they are cut into. Knows
 * files, record formats and what a pipeline's graph says of its sources; nothing of running graphs, channels or Kafka.
 */
package io.praline.worker.planning;
