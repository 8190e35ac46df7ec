/**
 * The entries of a store as one attempt meets them: those that stand in for its splits, and those that it makes. Knows the
 * attempt's order and what became of its elements, the store, the graph and the engine; nothing of the attempt's stages.
 */
package io.praline.worker.attempt.entry;
