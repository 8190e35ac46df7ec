/**
 * Reading and writing topics, the same way for every program: typed records by key, where to start, how long to wait, and
 * what happens to a record that cannot be read. Knows topics, bytes and Avro, nothing of what the records mean.
 */
package io.praline.topics.log;
