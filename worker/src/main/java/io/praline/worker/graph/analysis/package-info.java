/** What is told of a pipeline before any task runs it: its sources, its transformations, what it may drop, what it cannot do. */
package io.praline.worker.graph.analysis;
