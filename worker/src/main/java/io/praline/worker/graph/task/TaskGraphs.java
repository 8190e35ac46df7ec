package io.praline.worker.graph.task;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.InlineCalls;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformations;
import io.praline.worker.graph.caching.CacheRoads;
import io.praline.worker.graph.chance.DrawByElement;
import io.praline.worker.graph.chance.FuseShuffles;
import io.praline.worker.graph.chance.LaterStates;
import io.praline.worker.graph.chance.StampDraws;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.source.opening.OpenWithin;
import io.praline.worker.graph.source.opening.ReadInParallel;
import io.praline.worker.graph.source.opening.ReadStaged;
import io.praline.worker.graph.spelling.Optimizations;
import io.praline.worker.graph.spelling.SpellOut;
import io.praline.worker.graph.ticket.CountTickets;
import io.praline.worker.graph.ticket.Counting;
import io.praline.worker.graph.ticket.TrackProvenance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The list of passes that make a task's graph of a user's pipeline. */
public final class TaskGraphs {
    private TaskGraphs() {}

    /**
     * The graph for one attempt.
     *
     * @throws IllegalArgumentException if elements are to be tracked that cannot be
     */
    public static TaskGraph build(PipelineGraph written, PipelineAnalysis analysis, TaskSettings settings) {
        if (settings.tracked() && !analysis.exactlyOnce()) {
            throw new IllegalArgumentException(
                    "tracked must be false where elements cannot be tracked: " + analysis.reasons());
        }
        PipelineGraph pipeline = new SpellOut().apply(written);
        List<Pass> passes = new ArrayList<>();
        passes.add(new StampDraws());
        passes.add(new LaterStates(settings.keys()));
        passes.add(new InlineCalls());
        passes.add(new RepeatAlike());
        passes.add(new BindSplits());
        Optional<Counting> counting = settings.tracked()
                        && settings.counted()
                        && !settings.skipBad()
                        && settings.cache().isEmpty()
                ? analysis.counting()
                : Optional.empty();
        boolean carried = settings.tracked() && counting.isEmpty();
        if (carried) {
            passes.add(new TrackProvenance());
        } else if (counting.isPresent()) {
            passes.add(new CountTickets());
        }
        passes.add(new DrawByElement(settings.keys()));
        passes.add(new FuseShuffles(Optimizations.of(pipeline)));
        // what is left out without a ticket nobody could count
        if (settings.skipBad() && settings.tracked()) {
            passes.add(new SkipBad());
        }
        int sources = analysis.sources().size();
        settings.cache().ifPresent(at -> passes.add(new CacheRoads(at.node(), sources, at.keeps())));
        // measured one by one, steps stay as they were written
        if (!settings.profile() && FuseBatches.isFor(pipeline)) {
            passes.add(new FuseBatches());
        }
        if (settings.sideBySide()) {
            passes.add(new ReadInParallel());
        }
        settings.renaming().ifPresent(renaming -> passes.add(new ReadStaged(renaming)));
        passes.add(new OpenWithin());
        if (settings.pack() && !analysis.batched()) {
            passes.add(new Pack());
        }
        if (settings.profile()) {
            passes.add(new OneByOne());
        }
        passes.add(new Budget(settings.threads(), settings.ramBytes(), settings.profile()));

        PipelineGraph rewritten = pipeline;
        for (Pass pass : passes) {
            rewritten = pass.apply(rewritten);
        }
        PipelineGraph task = rewritten;
        List<ElementComponent> components = task.components();
        Optional<TaskGraph.Roads> roads = settings.cache()
                .map(at -> new TaskGraph.Roads(CacheRoads.layout(task.scope().components(at.node())), at.keeps()));
        return new TaskGraph(
                new SessionNodes(task).graph(sources, carried, roads),
                components,
                carried ? OptionalInt.of(components.size() - 1) : OptionalInt.empty(),
                counting,
                Pack.isPacked(task),
                sources,
                roads,
                settings.sideBySide() ? ReadInParallel.most(task) : 1,
                Stages.of(task, Transformations.of(pipeline).names()),
                analysis.sources().stream().map(TaskGraphs::written).toList());
    }

    /** Names as they were written, by the paths that splits have, where these are others. */
    private static Map<String, String> written(PipelineSource source) {
        Map<String, String> written = new HashMap<>();
        source.paths().forEach((name, path) -> {
            if (!name.equals(path)) {
                written.put(path, name);
            }
        });
        return written;
    }
}
