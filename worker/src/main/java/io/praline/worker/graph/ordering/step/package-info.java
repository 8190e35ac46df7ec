/**
 * What a step of a map is: its kind, its op with what it is set to, what it takes and gives, whether it may fail. Knows ops one by
 * one, nothing of how maps are cut into steps or put together again.
 */
package io.praline.worker.graph.ordering.step;
