/**
 * The way of batches from the graph to the training loop, as traces of OpenTelemetry. Off unless its standard environment
 * variables ask for it.
 *
 * <p>Worker and client do not talk of traces: both derive the same ids from what a batch is called on the channel, and the
 * same sampler decides in both. Knows identities and nothing of frames, graphs or loops.
 */
package io.praline.wire.trace;
