/**
 * The search for a job's best workers by a fitted model: what windows and clocks tell, the model of rates that is fitted to it,
 * what a change of workers may be expected to bring, and when one is worth it. {@link io.praline.policy.scaling.fitted.Search} is
 * all that others see. Knows no policy, nor anything but one job.
 */
package io.praline.policy.scaling.fitted;
