package io.praline.worker.delivery;

import java.time.InstantSource;

/**
 * What every connection of a server needs to know.
 *
 * @param secret what tokens are checked with
 * @param incarnation the worker's
 * @param refusesOthers whether HELLOs for another incarnation are refused
 * @param time what the expiry of tokens is compared to
 */
@SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
record Welcome(
        byte[] secret,
        String incarnation,
        boolean refusesOthers,
        int maxConnections,
        DeliveryTimeouts timeouts,
        InstantSource time,
        Outboxes attempts,
        DeliveryTally tally) {}
