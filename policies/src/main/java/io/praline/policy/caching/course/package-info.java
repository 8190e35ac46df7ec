/**
 * When a job's cache points are measured, used and left again: what follows from what happens to the job. Knows which point is
 * best from {@link io.praline.policy.caching}; who measures, writes and reads, and how attempts change over, is for others.
 */
package io.praline.policy.caching.course;
