package io.praline.worker.graph.caching;

import io.praline.worker.graph.CanonicalForm;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformations;
import io.praline.worker.graph.chance.StampDraws;
import io.praline.worker.graph.source.Birth;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.Sources;
import io.praline.worker.graph.spelling.SpellOut;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * The places of a pipeline behind which the elements of a split may be kept: up to there every step looks at one element at a
 * time, and makes the same of it in every epoch and every job. So nothing draws, but for what the user's own {@code cache()}
 * freezes, nothing mixes or groups elements, looks at their place in the whole, or hangs on a state, a table or a file that no
 * key tells of.
 *
 * @param points from the source on; empty where nothing may be kept
 * @param blocked why there is no later one, in a line: the step, and what it does
 */
public record CachePoints(List<CachePoint> points, String blocked) {
    /**
     * Of what a rewritten graph makes of a user's, and of how it lies in entries: those of another number are not these elements,
     * and programs of two numbers on one store leave each other's alone.
     */
    private static final int REWRITING = 5;

    public CachePoints {
        points = List.copyOf(points);
    }

    /**
     * Finds them.
     *
     * @param seed the job's, from which what a {@code cache()} freezes is drawn
     */
    public static CachePoints of(PipelineGraph written, PipelineAnalysis analysis, long seed) {
        if (!analysis.exactlyOnce()) {
            return none("its elements carry no tickets: " + analysis.reasons().get(0));
        }
        if (analysis.singleTask()) {
            return none("a single task reads it as a whole");
        }
        if (analysis.sources().size() != 1) {
            return none("it has " + analysis.sources().size() + " sources");
        }
        if (analysis.ignoresErrors()) {
            return none("it leaves out what fails, without a word: elements of an entry that broke would be missing");
        }
        return new Search(written, seed).points();
    }

    private static CachePoints none(String why) {
        return new CachePoints(List.of(), why);
    }

    /** The point of this number, if it is one. */
    public Optional<CachePoint> point(int number) {
        return number >= 0 && number < points.size() ? Optional.of(points.get(number)) : Optional.empty();
    }

    /** The walk from the source to the first step that nothing may be kept behind. */
    private static final class Search {
        private final PipelineGraph pipeline;
        private final PipelineGraph stamped;
        private final Scope scope;
        private final long seed;
        private final Map<String, String> names;
        private final Sources sources;
        private final OpenedFiles files;

        Search(PipelineGraph written, long seed) {
            this.pipeline = new SpellOut().apply(written);
            this.stamped = new StampDraws().apply(pipeline);
            this.scope = pipeline.scope();
            this.seed = seed;
            this.names = Transformations.of(pipeline).names();
            this.sources = Sources.of(pipeline);
            this.files = new OpenedFiles(pipeline.functions());
        }

        CachePoints points() {
            FoundSource source = sources.found().get(0);
            if (Birth.of(pipeline, sources).get(0).late()) {
                return none(named(source.node()) + ": what comes out of a split is numbered as it comes out");
            }
            List<CachePoint> points = new ArrayList<>();
            SourceNames names = new SourceNames(scope, source);
            boolean drawn = false;
            for (NodeDef node : path(source.node())) {
                boolean first = node.getName().equals(source.node());
                Optional<String> why = (first ? hangs(node).or(() -> reads(node)) : blocked(node))
                        .or(() -> drawsAnew(node))
                        .or(() -> first ? Optional.empty() : opens(node, names));
                if (why.isPresent()) {
                    return new CachePoints(points, named(node.getName()) + ": it " + why.get());
                }
                drawn |= stampedNodes(node).anyMatch(StampDraws::draws);
                if (!sources.bypassed().contains(node.getName())) {
                    points.add(new CachePoint(
                            points.size(),
                            node.getName(),
                            named(node.getName()),
                            prefix(node.getName(), drawn),
                            drawn,
                            names.opened()));
                }
            }
            return new CachePoints(points, "");
        }

        /** From the source on. */
        private List<NodeDef> path(String source) {
            List<NodeDef> path = new ArrayList<>();
            for (NodeDef node : sources.path()) {
                if (node.getName().equals(source) || !path.isEmpty()) {
                    path.add(node);
                }
            }
            return path;
        }

        private String named(String node) {
            return names.getOrDefault(node, node);
        }

        /** Where a step draws what no cache of the user's keeps: wherever that stands, the stamps tell. */
        private Optional<String> drawsAnew(NodeDef node) {
            return stampedNodes(node).anyMatch(each -> StampDraws.draws(each) && !StampDraws.drawsOnce(each))
                    ? Optional.of("draws random numbers")
                    : Optional.empty();
        }

        /** The nodes of the functions that a step runs, as they are stamped. */
        private Stream<NodeDef> stampedNodes(NodeDef node) {
            return stamped.workOf(stamped.nodes().get(node.getName()));
        }

        private List<FunctionDef> functions(NodeDef node) {
            return PipelineGraph.reachedFunctions(List.of(node), pipeline.functions()).stream()
                    .map(pipeline.functions()::get)
                    .toList();
        }

        /** Why nothing may be kept behind a step; empty where it may. */
        private Optional<String> blocked(NodeDef node) {
            OpTraits traits = OpTraits.of(node);
            Optional<String> why =
                    switch (traits.family()) {
                        case MAP, FILTER, TRANSPARENT -> Optional.empty();
                        case ASSERT, CACHE, SNAPSHOT, REPEAT ->
                            sources.bypassed().contains(node.getName())
                                    ? Optional.empty()
                                    : Optional.of("repeats elements");
                        case SHUFFLE -> Optional.of("mixes the elements of several splits");
                        case BATCH, PADDED_BATCH -> Optional.of("puts elements of several splits together");
                        default -> Optional.of("does not look at one element at a time");
                    };
            if (why.isPresent() || traits.position() || DatasetOps.ignoresErrors(node)) {
                return why.or(() -> Optional.of(
                        traits.position()
                                ? "looks at the place of an element in the whole"
                                : "leaves out what fails, without a word"));
            }
            return hangs(node);
        }

        /** Why a step makes something else of the same element another time, or may; empty where it does not. */
        private Optional<String> hangs(NodeDef node) {
            Set<String> inner = new HashSet<>();
            for (int i = 1; i < node.getInputCount(); i++) {
                Optional<String> why = captured(node.getInput(i), inner);
                if (why.isPresent()) {
                    return why;
                }
            }
            for (ElementComponent component : scope.components(node.getName())) {
                if (!EntryLayout.holds(component.dtype())) {
                    return Optional.of("yields what is no plain tensor");
                }
            }
            return functions(node).stream()
                    .flatMap(function -> function.getNodeDefList().stream())
                    .filter(each -> !OpenedFiles.opens(each))
                    .flatMap(each -> unsteady(each).stream())
                    .findFirst();
        }

        /** The function of a source opens the file that the split names, and no other. */
        private Optional<String> reads(NodeDef source) {
            return files.besides(source).map(Search::otherFiles);
        }

        private Optional<String> opens(NodeDef node, SourceNames names) {
            OpenedFiles.Opened opened =
                    files.of(node, scope.components(node.getInput(0)).size());
            return opened.other()
                    .or(() -> names.open(opened.components()) ? Optional.empty() : Optional.of("ReadFile"))
                    .map(Search::otherFiles)
                    .or(() -> {
                        names.pass(OpTraits.of(node).family() == OpTraits.Family.MAP);
                        return Optional.empty();
                    });
        }

        private static String otherFiles(String op) {
            return "reads files that no split names (" + op + ")";
        }

        private static Optional<String> unsteady(NodeDef node) {
            OpTraits traits = OpTraits.of(node);
            if (traits.draws() == OpTraits.Draws.UNKEYABLE) {
                return Optional.of("draws random numbers that no key makes again (" + node.getOp() + ")");
            }
            if (traits.draws() == OpTraits.Draws.KEYABLE) {
                return Optional.empty(); // where it is drawn once for all epochs
            }
            return switch (traits.family()) {
                case TABLE -> Optional.of("looks things up in a table (" + node.getOp() + ")");
                case STATE, RESOURCE -> Optional.of("hangs on a state (" + node.getOp() + ")");
                default ->
                    traits.repeats() == OpTraits.Repeats.YES
                            ? Optional.empty()
                            : Optional.of("does not make the same again (" + node.getOp() + ")");
            };
        }

        /** What a function captures must be computed from constants. */
        private Optional<String> captured(String ref, Set<String> seen) {
            String name = Scope.nodeOf(ref);
            if (!seen.add(name)) {
                return Optional.empty();
            }
            NodeDef node = scope.node(name);
            if (DatasetOps.isDataset(node)) {
                return Optional.of("reads another dataset");
            }
            Optional<String> why = OpTraits.of(node).draws() != OpTraits.Draws.NOTHING
                    ? Optional.of("is given a random number (" + node.getOp() + ")")
                    : OpenedFiles.opens(node)
                            ? Optional.of("is given what a file holds (" + node.getOp() + ")")
                            : unsteady(node);
            for (String input : node.getInputList()) {
                why = why.or(() -> captured(input, seen));
            }
            return why;
        }

        /** Draws follow from the seed and from where they stand in the user's program, which their stamps tell. */
        private String prefix(String node, boolean drawn) {
            PipelineGraph from = drawn ? stamped : pipeline;
            PipelineGraph prefix =
                    new PipelineGraph(from.nodes().values(), from.functions().values(), node, from.versions());
            String depends = "rewriting " + REWRITING + (drawn ? ", seed " + seed : "") + ", " + prefix.digest();
            return CanonicalForm.digest(depends.getBytes(StandardCharsets.UTF_8));
        }
    }
}
