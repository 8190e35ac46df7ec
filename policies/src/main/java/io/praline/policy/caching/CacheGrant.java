package io.praline.policy.caching;

/**
 * What a group of entries may have.
 *
 * @param bytes at most: what it has above them is dropped, and nothing is written that would exceed them
 * @param value seconds of workers that one of its bytes is expected to save in an hour
 */
public record CacheGrant(String tenant, String prefix, long bytes, double value, boolean pinned) {}
