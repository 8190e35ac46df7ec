/** Functions of a pipeline as they are read: what they calculate, of what types, from what it follows, what else they do. */
package io.praline.worker.graph.ordering.function;
