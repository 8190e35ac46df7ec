/**
 * What goes into an attempt, a profile or a trial: the pipeline that it runs, and splits as its engine takes them. Knows nothing of
 * how an attempt goes.
 */
package io.praline.worker.attempt.input;
