package io.praline.topics.log;

import java.time.Duration;

/**
 * How long a reader waits; what the user's file says of the first two wins.
 *
 * @param fetch how long a broker may hold its answer back while there is nothing new: the shorter, the more requests
 * @param answer for what a broker knows: partitions, ends, positions; then it cannot be reached
 * @param goodbye for the brokers when the reader closes
 */
public record ReaderWaits(Duration fetch, Duration answer, Duration goodbye) {}
