/**
 * The list of topics: name, key, value, partitions, retention; what creates them, how Kafka is reached, and what programs agree
 * on beyond the schemas. Knows nothing of what programs do with them.
 *
 * <p>Not yet served, and kept for what comes: of {@code StartAttempt} the field {@code order}, which the dispatcher leaves empty; of
 * {@code PipelineEntry} the body {@code MeasuredFactors}, which nobody writes; of {@code JobRequest} the body {@code Resume},
 * which the dispatcher refuses; of {@code ConsumptionReport} the field {@code marks}, which clients leave empty. Served no more: of
 * {@code PipelineEntry} the body {@code PipelineDescription}, which workers of before wrote and the dispatcher takes away with the
 * graph. Written and read by nobody of today: of {@code PlanSplits} the field {@code pipelineName}, of {@code WorkerHeartbeat}
 * {@code memoryBytes}.
 *
 * <p>The bodies cannot go: a registry that holds a schema with a body more refuses the one without it, and with it every record of
 * the topic. Without fields that have no default, programs of an older version could not read the record.
 */
package io.praline.topics;
