/**
 * The pipeline as a graph: reading it, describing it, what is known of each op, and what a pass that rewrites it works with.
 * Works on protos only, as the packages below do, and knows nothing of sessions, tensors or native code; what it must ask
 * TensorFlow goes through {@link io.praline.worker.graph.OpCatalogue}, which {@code worker.engine} fulfils.
 */
package io.praline.worker.graph;
