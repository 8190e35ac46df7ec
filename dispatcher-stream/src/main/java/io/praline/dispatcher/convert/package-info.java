/**
 * Bytes to events and observations; decisions, commands and statuses to Avro: the one place where records to be sent are
 * built. Decides nothing, keeps nothing, and knows nothing of turns.
 */
package io.praline.dispatcher.convert;
