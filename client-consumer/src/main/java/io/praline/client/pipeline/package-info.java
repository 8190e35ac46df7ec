/**
 * Pipelines written in Java, or in a YAML file: sources, transformations, names, and the graph that they make. Knows TensorFlow's
 * ops and protos; nothing of jobs, topics or channels.
 */
package io.praline.client.pipeline;
