package io.praline.worker.graph.source;

/**
 * A source in the graph.
 *
 * @param node the dataset node whose elements will come from splits
 * @param how what the splits' function will open
 * @param numbered whether the function that opens a split does more than look at one record at a time
 * @param reads how many splits are read at a time
 * @param why it is taken as it stands, where it is, as it goes on behind "since"; else empty
 */
public record FoundSource(String node, PipelineSource source, How how, boolean numbered, Reads reads, String why) {
    FoundSource(String node, PipelineSource source, How how) {
        this(node, source, how, false, Reads.ONE_BY_ONE, "");
    }

    FoundSource asShuffled() {
        return new FoundSource(node, source.asShuffled(), how, numbered, reads, why);
    }

    /** Whether elements of its splits come one by one, of a list that is in the graph or can be counted. */
    boolean isList() {
        return how == How.SLICES || how == How.RANGE || how == How.NAMES;
    }

    FoundSource asOpened(Reads files) {
        return new FoundSource(node, source.asOpened(), how, numbered, files, why);
    }

    static FoundSource whole(String node, String why) {
        return new FoundSource(
                node, PipelineSource.of(new SourceKind.Whole()), How.WHOLE, false, Reads.ONE_BY_ONE, why);
    }

    /** How a split becomes elements. */
    public enum How {
        /** The user's own function opens one file by its name. */
        FUNCTION,
        /** A reader at the top of the graph reads all files. */
        READER,
        /** The names are the elements. */
        NAMES,
        /** A range of integers. */
        RANGE,
        /** A part of a constant. */
        SLICES,
        /** A dataset as it stands. */
        WHOLE
    }
}
