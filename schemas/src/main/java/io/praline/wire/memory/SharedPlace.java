package io.praline.wire.memory;

/**
 * Where bytes of a batch lie in memory that other processes of the host may map too.
 *
 * @param offset from the segment's beginning
 */
public record SharedPlace(SharedSegment segment, long offset) {}
