/** Records put away. Knows topics, bytes and Avro, nothing of what the records mean. */
package io.praline.topics.log;
