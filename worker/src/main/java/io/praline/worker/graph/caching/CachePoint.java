package io.praline.worker.graph.caching;

import java.util.List;

/**
 * A place behind which elements may be kept.
 *
 * @param number from the source on: 0 is behind what reads splits
 * @param node the dataset node whose elements are kept
 * @param step the transformation it is
 * @param prefix SHA-256, in hex, of all that is executed up to there and of what it depends on
 * @param drawn whether random numbers were drawn up to there, which follow from the split's number in its plan
 * @param opened names of files that are opened up to there and that no split names: lists of them, each with one for every
 *     position of the constant that splits are ranges of
 */
public record CachePoint(
        int number, String node, String step, String prefix, boolean drawn, List<List<String>> opened) {
    public CachePoint {
        opened = List.copyOf(opened);
        if (number < 0) {
            throw new IllegalArgumentException("number must not be negative, is " + number);
        }
    }
}
