/**
 * Bytes to events and observations; decisions, commands and statuses to Avro, the records that turns send. Decides nothing, keeps nothing, and knows nothing of turns.
 */
package io.praline.dispatcher.convert;
