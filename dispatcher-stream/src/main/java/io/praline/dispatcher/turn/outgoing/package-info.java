/** Where a turn's words go, and why something had no effect. Knows neither jobs nor pools, nor what becomes of the words. */
package io.praline.dispatcher.turn.outgoing;
