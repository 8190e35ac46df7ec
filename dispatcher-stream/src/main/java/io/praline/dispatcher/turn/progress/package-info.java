/**
 * What a turn knows between two events of one matter each: what beats said of workers and attempts, which comes again with the
 * next ones; what a job's policy has come to, and a pool's workers and stores, which are rows as well; whether a job gets on
 * and past whom; and the clock that the log's records make. Knows nothing of a job or a pool as a whole.
 */
package io.praline.dispatcher.turn.progress;
