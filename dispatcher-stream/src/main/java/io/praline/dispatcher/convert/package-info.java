/**
 * Avro to events and observations; decisions, commands and statuses to Avro: the one place that knows both. Decides
 * nothing, keeps nothing, and knows nothing of turns.
 */
package io.praline.dispatcher.convert;
