/**
 * What a turn remembers from one event to the next, and nobody needs to tell it again: what beats said of workers and attempts,
 * whether a job gets on and past whom, and the clock that the log's records make. Knows neither jobs nor pools.
 */
package io.praline.dispatcher.turn.progress;
