/**
 * What a stream of batches is made of, each part with one concern. Knows tensors, statuses and reports, nothing of sockets,
 * Kafka, threads or clocks; the root's {@code StreamCore} puts it together and has the one lock that guards all of it but
 * {@code Coverage}, which the streams of a job share and which has its own.
 *
 * <pre>
 *   {@link io.praline.client.stream.Attempts}      what the job's status lists: dials, checks what comes, answers fences
 *     EpochGate     when the next epoch's batches may go, and when nothing follows
 *     ServingTasks  how many tasks serve the loop
 *     CreditShare   how the memory is divided over channels
 *   {@link io.praline.client.stream.LoopHandover}  what lies ready, what is promised to the loop, what it has had
 *     Frame         what came in one piece
 *     Coverage      which elements the loop had, and which of them twice
 *   {@link io.praline.client.stream.Lease}         whether the loop may be given any
 * </pre>
 */
package io.praline.client.stream;
