/**
 * What the courses of a job's order of steps and of its cache have come to, and what its attempts run by them; rows as well.
 * Knows who was asked to measure and what attempts found of entries, nothing of pools.
 */
package io.praline.dispatcher.turn.progress.course;
