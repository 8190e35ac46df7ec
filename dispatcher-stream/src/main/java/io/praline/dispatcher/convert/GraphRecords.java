package io.praline.dispatcher.convert;

import io.praline.topics.Topics;
import java.util.List;

/** Under which keys workers write what they know of a pipeline, or wrote: those of before described it too. */
public final class GraphRecords {
    private GraphRecords() {}

    /** All keys of what is known in a pool of the pipeline of this digest. */
    public static List<String> keys(String pool, String digest) {
        return List.of(Topics.graphKey(pool, digest), Topics.descriptionKey(pool, digest));
    }
}
