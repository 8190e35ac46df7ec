/**
 * Avro in the Confluent wire format, through any Confluent-compatible registry. Knows topics and bytes, nothing of what
 * the records mean. A value on a topic is
 *
 * <pre>
 *   byte   0      0, the magic byte
 *   byte   1..4   the id of the writer's schema in the registry, big-endian
 *   byte   5..    the record in Avro's binary encoding
 * </pre>
 */
package io.praline.topics.registry;
