/**
 * The pipeline as a graph: reading it, describing it, and the passes that rewrite it for a task. Works on protos only and
 * knows nothing of sessions, tensors or native code; what it must ask TensorFlow goes through {@link
 * io.praline.worker.graph.OpCatalogue}, which {@code worker.engine} fulfils.
 */
package io.praline.worker.graph;
