/**
 * Whether a job gets on, and past whom: what a turn remembers of it from one event to the next, and nobody needs to tell it
 * again. Knows neither jobs nor pools.
 */
package io.praline.dispatcher.turn.progress;
