package io.praline.worker.graph.chance;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.NodeDef;

/**
 * Caches of what is drawn that are left before their end, as far as a graph tells: what is drawn before them is another in each
 * epoch. One process keeps it as soon as anything reads the cache to its end: of files nobody knows whether fewer elements are
 * there than are taken, or than a shuffle has room for, and another dataset of the program may read it too, which is another
 * job's. It is said.
 */
public final class LeftCaches {
    private LeftCaches() {}

    /**
     * Lines that name them.
     *
     * @param stamped the pipeline as tasks read it, with its draws stamped
     * @param names of transformations, by the names of their nodes
     */
    public static List<String> notes(PipelineGraph stamped, Map<String, String> names) {
        Scope scope = stamped.scope();
        Set<String> ended = ReadToTheEnd.in(stamped, scope);
        Set<String> surely = ReadToTheEnd.surelyIn(stamped, scope);
        List<String> caches = stamped.nodes().values().stream()
                .filter(node -> OpTraits.of(node).isCache())
                .map(NodeDef::getName)
                .filter(cache -> SharedCaches.draws(stamped, scope, cache))
                .toList();
        List<String> notes = new ArrayList<>();
        note(
                        caches.stream().filter(cache -> !ended.contains(cache)),
                        names,
                        "taken to be left before its end, so that what is drawn before it is another in each epoch; one"
                                + " process keeps it once the cache was read to its end, as where there are fewer elements than"
                                + " are taken or than a shuffle has room for, or by another dataset of the program")
                .ifPresent(notes::add);
        note(
                        caches.stream().filter(cache -> ended.contains(cache) && !surely.contains(cache)),
                        names,
                        "taken to be read to its end, so that what is drawn before it is the same in each epoch; one process"
                                + " draws it anew in each where what it is zipped to has fewer elements")
                .ifPresent(notes::add);
        return notes;
    }

    private static Optional<String> note(Stream<String> caches, Map<String, String> names, String said) {
        return StepNote.of(
                caches.map(cache -> names.getOrDefault(cache, "cache")).toList(), said);
    }
}
