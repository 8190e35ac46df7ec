package io.praline.topics;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a program does with which topics: it must find them, and be allowed to. */
public record TopicAccess(List<Topic<?>> reads, List<Topic<?>> writes) {
    public TopicAccess {
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
    }

    /** The topics that it touches, each once. */
    Set<Topic<?>> topics() {
        Set<Topic<?>> topics = new LinkedHashSet<>(reads);
        topics.addAll(writes);
        return topics;
    }
}
