/** Avro to events and observations, decisions to Avro: the one place that knows both. Decides nothing, keeps nothing. */
package io.praline.dispatcher.convert;
