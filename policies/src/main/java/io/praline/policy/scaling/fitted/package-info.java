/**
 * What {@link io.praline.policy.scaling.FittedPlacement} computes with: the model of rates, how it is fitted to windows, what it
 * remembers, and what a change of workers may be expected to bring. Knows no policy.
 */
package io.praline.policy.scaling.fitted;
