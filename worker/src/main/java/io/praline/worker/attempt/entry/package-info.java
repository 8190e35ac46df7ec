/**
 * The entries of a store as one attempt meets them: those that stand in for its splits, and those that it makes. Knows the store,
 * the graph and the engine; nothing of how an attempt goes.
 */
package io.praline.worker.attempt.entry;
