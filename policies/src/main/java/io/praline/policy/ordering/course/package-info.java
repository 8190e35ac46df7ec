/**
 * When a job's order of steps is measured, verified and changed: what follows from what happens to the job. Knows which order
 * is best from {@link io.praline.policy.ordering} and its {@code plan}, whether it may be used from {@code verification}; who measures, and how
 * attempts change over, is for others.
 */
package io.praline.policy.ordering.course;
