/** A pipeline's draws: which there are, what each follows from, and the passes that make it follow from nothing else. */
package io.praline.worker.graph.chance;
