package io.praline.dispatcher.ledger.epoch;

/**
 * Where an attempt reads entries.
 *
 * @param point of the graph that it runs, counted from its source
 * @param prefix digest of what is executed up to there: whose entries these are
 * @param put whether it makes those that are missing
 */
public record CacheUse(int point, String prefix, boolean put) {}
