package io.praline.worker.graph.analysis;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.chance.DrawnParts;
import io.praline.worker.graph.chance.LaterOrders;
import io.praline.worker.graph.chance.LeftCaches;
import io.praline.worker.graph.chance.LostPace;
import io.praline.worker.graph.chance.SeededDraws;
import io.praline.worker.graph.chance.SharedCaches;
import io.praline.worker.graph.chance.StampDraws;
import io.praline.worker.graph.source.Birth;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.source.Repeatability;
import io.praline.worker.graph.source.Sources;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.spelling.FixedShuffles;
import io.praline.worker.graph.spelling.RandomGenerators;
import io.praline.worker.graph.spelling.SpellOut;
import io.praline.worker.graph.ticket.Counting;
import io.praline.worker.graph.ticket.TrackProvenance;
import io.praline.worker.graph.ticket.Untrackable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What planning, accounting and people need to know of a pipeline.
 *
 * @param sources in the order of the walk from the root; splits carry their number
 * @param exactlyOnce whether every element can be tracked; otherwise the job runs untracked, at least once
 * @param reasons why not, one line each; empty where it can
 * @param whole why only one task may run at a time, as it goes on behind "since"; empty where several may
 * @param counting how elements can be told apart by counting them; empty where each must carry its ticket
 * @param acrossSplits the first step that looks across splits, so that a task must not end between two of them for no need
 * @param drops where elements may be left out, from the sources on
 * @param batched whether the pipeline yields batches; false where it yields single elements
 * @param epochs how often the user's {@code repeat} over the whole pipeline runs it; 1 without one, -1 for ever
 * @param components of an element as the pipeline yields it
 * @param transformations from the source on
 * @param notes what a distributed run does not keep from a single process, one line each
 */
public record PipelineAnalysis(
        List<PipelineSource> sources,
        boolean exactlyOnce,
        List<String> reasons,
        Optional<String> whole,
        Optional<Counting> counting,
        Optional<String> acrossSplits,
        List<Drop> drops,
        boolean batched,
        long epochs,
        List<ElementComponent> components,
        List<Transformation> transformations,
        List<String> notes) {
    public PipelineAnalysis {
        sources = List.copyOf(sources);
        reasons = List.copyOf(reasons);
        drops = List.copyOf(drops);
        components = List.copyOf(components);
        transformations = List.copyOf(transformations);
        notes = List.copyOf(notes);
    }

    /** Looks through a pipeline. Refuses nothing: {@link PipelineGraph#parse} has done so. */
    public static PipelineAnalysis of(PipelineGraph written) {
        PipelineGraph pipeline = new SpellOut().apply(written);
        Sources sources = Sources.of(pipeline);
        Transformations transformations = Transformations.of(pipeline);
        PathFacts facts = PathFacts.of(pipeline, sources, transformations.names());
        Repeatability again = Repeatability.of(pipeline, sources, transformations.names());
        List<String> reasons = new ArrayList<>(again.reasons());
        List<String> notes = new ArrayList<>(transformations.notes());
        notes.addAll(again.made());
        notes.addAll(FixedShuffles.notes(written, transformations.names()));
        SeededDraws.note(written, transformations.names()).ifPresent(notes::add);
        notes.addAll(RandomGenerators.notes(written, transformations.names()));
        CompiledFunctions.note(written).ifPresent(notes::add);
        SharedState.note(pipeline, transformations.names()).ifPresent(notes::add);
        SharedState.ofEpochs(pipeline, transformations.names()).ifPresent(notes::add);
        SharedState.asSubmitted(pipeline, transformations.names()).ifPresent(notes::add);
        Optional<String> whole = sources.found().stream()
                .filter(found -> found.how() == FoundSource.How.WHOLE)
                .map(FoundSource::why)
                .findFirst();
        PipelineGraph stamped = new StampDraws().apply(pipeline);
        notes.addAll(LostPace.notes(stamped, transformations.names(), whole.isEmpty()));
        SharedCaches.note(stamped, transformations.names()).ifPresent(notes::add);
        notes.addAll(LeftCaches.notes(stamped, transformations.names()));
        notes.addAll(DrawnParts.notes(stamped, transformations.names()));
        List<Birth> births = Birth.of(pipeline, sources);
        births.forEach(birth -> notes.addAll(birth.children().notes(transformations.names())));
        boolean batched = facts.batched();
        PipelineGraph bound = new BindSplits().apply(pipeline);
        LaterOrders.note(bound, transformations.names()).ifPresent(notes::add);
        try {
            PipelineGraph tracked = new TrackProvenance().apply(bound);
            List<ElementComponent> components = tracked.components();
            batched = !components.get(components.size() - 1).shape().isEmpty();
        } catch (Untrackable untrackable) {
            reasons.add(untrackable.getMessage());
        }
        if (whole.isEmpty()) {
            notes.addAll(
                    reasons.isEmpty()
                            ? TaskTails.ofTickets(pipeline, sources, transformations.names())
                            : TaskTails.notes(pipeline, sources, transformations.names()));
        }
        return new PipelineAnalysis(
                planned(sources, births),
                reasons.isEmpty(),
                reasons,
                whole,
                reasons.isEmpty() ? Counting.of(pipeline) : Optional.empty(),
                AcrossSplits.first(pipeline, sources, transformations.names()),
                facts.drops(),
                batched,
                sources.epochs(),
                bound.components(),
                transformations.list(),
                notes);
    }

    /** Whether only one task may run at a time. */
    public boolean singleTask() {
        return whole.isPresent();
    }

    /** Whether a task that is not {@link #exactlyOnce} may end behind any split, and another go on. */
    public boolean renewable() {
        return !exactlyOnce && !singleTask() && sources.size() == 1 && acrossSplits.isEmpty();
    }

    /** Why it is not visited exactly once, and what a worker's death repeats instead, one line each; empty where it is. */
    public List<String> guaranteeReasons() {
        if (exactlyOnce) {
            return List.of();
        }
        List<String> all = new ArrayList<>(reasons);
        all.add("a worker's death repeats " + repeated());
        return all;
    }

    private String repeated() {
        if (renewable()) {
            return "what its task read in some 30 s, or in one split";
        }
        String everything = "all that its task read in the epoch";
        if (singleTask()) {
            return everything + ", which is read as a whole";
        }
        return everything
                + acrossSplits
                        .map(step -> ", since " + step + " looks across splits")
                        .orElse(", since it has several sources");
    }

    /** Whether elements that cannot be made are left out by the user's wish, without a word. */
    public boolean ignoresErrors() {
        return drops.stream().anyMatch(drop -> drop.how() == OpTraits.Drops.ERRORS);
    }

    private static List<PipelineSource> planned(Sources sources, List<Birth> births) {
        List<PipelineSource> planned = new ArrayList<>();
        for (FoundSource found : sources.found()) {
            planned.add(births.get(planned.size()).late() ? found.source().asNumbered() : found.source());
        }
        return planned;
    }
}
