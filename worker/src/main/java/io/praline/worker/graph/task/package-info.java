/**
 * The graph that a task's session runs: all passes in their order, those that serve running alone, the nodes that feed and
 * drive it, and its datasets as a tree.
 */
package io.praline.worker.graph.task;
