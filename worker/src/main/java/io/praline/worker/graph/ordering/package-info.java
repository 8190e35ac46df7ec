/**
 * Other orders of a pipeline's steps. {@code SplitMaps} cuts maps into steps, {@code Steps} describes them, {@code Variants}
 * carries out a recipe that somebody else decided on: steps are moved, written for whole batches, and joined again. Which
 * moves are right is not known here; a recipe that cannot be carried out is refused.
 */
package io.praline.worker.graph.ordering;
