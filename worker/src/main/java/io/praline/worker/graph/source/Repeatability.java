package io.praline.worker.graph.source;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.Options;

/**
 * Whether what is numbered as it comes out of a split comes again as it came, which its tickets stand for: what a single task
 * reads as a whole, and what reads a split up to a step that makes several elements of one. What TensorFlow leaves to chance
 * or to the host there, and could do without, is fixed: an order that need not be kept, wherever an option or an attribute
 * says so, the number of datasets that an interleave has open, and files that one attempt would leave behind for the next, or
 * that several would write at a time.
 *
 * @param graph the pipeline, made repeatable as far as it can be; but for such files as it was where nothing is read as a whole
 * @param made what was changed for it, one line each
 * @param reasons why it cannot be repeated even so, one line each
 */
public record Repeatability(PipelineGraph graph, List<String> made, List<String> reasons) {
    /** As many as TensorFlow would take on a host of so many cores. */
    private static final long CYCLE = 8;

    public Repeatability {
        made = List.copyOf(made);
        reasons = List.copyOf(reasons);
    }

    public static Repeatability of(PipelineGraph pipeline, Sources sources, Map<String, String> names) {
        Work work = new Work(pipeline, names);
        List<Birth> births = Birth.of(pipeline, sources);
        boolean numbered = false;
        for (int i = 0; i < births.size(); i++) {
            if (births.get(i).late()) {
                numbered = true;
                work.below(births.get(i).last(sources.found().get(i)));
            }
        }
        if (numbered) {
            work.options();
        }
        work.beside(sources);
        return new Repeatability(
                new PipelineGraph(work.scope.nodes(), work.functions.values(), pipeline.root(), pipeline.versions()),
                List.copyOf(work.made),
                List.copyOf(work.reasons));
    }

    /** Ask a database, by the text of their third input. */
    private static final Set<String> QUERIES = Set.of("ExperimentalSqlDataset", "SqlDataset");

    /** What of SQL draws, tells the time, or tells of the connection. */
    private static final Pattern UNSTEADY = Pattern.compile(
            "random|changes\\s*\\(|rowid\\s*\\(|current_|now|(date|time|julianday|unixepoch|timediff)\\s*\\(",
            Pattern.CASE_INSENSITIVE);

    /** Give what a variable holds. */
    private static final Set<String> READ_VARIABLES = Set.of("ReadVariableOp", "ResourceGather", "ResourceGatherNd");

    private static final class Work {
        private final PipelineGraph pipeline;
        private final Map<String, String> names;
        private final Scope scope;
        private final Map<String, FunctionDef> functions;
        private final Set<String> made = new LinkedHashSet<>();
        private final Set<String> reasons = new LinkedHashSet<>();

        /** @param names of transformations, by the names of their nodes */
        Work(PipelineGraph pipeline, Map<String, String> names) {
            this.pipeline = pipeline;
            this.names = names;
            this.scope = pipeline.scope();
            this.functions = new LinkedHashMap<>(pipeline.functions());
        }

        void below(String root) {
            PipelineGraph part = new PipelineGraph(
                    pipeline.nodes().values(), pipeline.functions().values(), root, pipeline.versions());
            Set<String> unkeyed = new LinkedHashSet<>();
            boolean constant = !changesVariables(part);
            for (NodeDef node : part.nodes().values()) {
                if (!constant || !isVariable(node)) {
                    survey(node, scope, false);
                }
                scope.put(fixed(scope.node(node.getName()), scope));
                switch (OpTraits.of(node).family()) {
                    case SNAPSHOT -> snapshot(node);
                    // their functions are given elements in an order that nothing numbers
                    case GROUP, REDUCE ->
                        unkeyed.addAll(PipelineGraph.reachedFunctions(List.of(node), pipeline.functions()));
                    default -> {}
                }
            }
            part.functions().values().stream()
                    .flatMap(function -> function.getNodeDefList().stream())
                    .filter(node -> OpTraits.of(node).family() == OpTraits.Family.GROUP)
                    .forEach(node ->
                            unkeyed.addAll(PipelineGraph.reachedFunctions(List.of(node), pipeline.functions())));
            part.functions().forEach((name, function) -> {
                Scope body = Scope.ofFunction(function);
                for (NodeDef node : body.nodes()) {
                    if (!constant || !READ_VARIABLES.contains(node.getOp())) {
                        survey(node, body, !unkeyed.contains(name));
                    }
                    body.put(fixed(body.node(node.getName()), body));
                }
                functions.put(
                        name,
                        function.toBuilder()
                                .clearNodeDef()
                                .addAllNodeDef(body.nodes())
                                .build());
            });
        }

        /** Whether a function of the part leaves something in a variable: what it is then depends on what was read before. */
        private static boolean changesVariables(PipelineGraph part) {
            return part.functions().values().stream()
                    .flatMap(function -> function.getNodeDefList().stream())
                    .anyMatch(node -> node.getOp().startsWith("Rng")
                            || (OpTraits.of(node).family() == OpTraits.Family.STATE
                                    && OpTraits.of(node).position()));
        }

        /** A variable of the pipeline's, or what it is given before anything is read, if that is a constant. */
        private boolean isVariable(NodeDef node) {
            boolean handle = node.getOp().equals("VarHandleOp");
            return (handle || node.getOp().equals("AssignVariableOp"))
                    && Constants.ofVariable(scope, handle ? node.getName() : node.getInput(0))
                            .isPresent();
        }

        /** What it writes would be there when the part is read again by another attempt. */
        private void snapshot(NodeDef node) {
            String input = scope.node(node.getName()).getInput(0);
            if (!isDrawn(input)) {
                scope.redirect(node.getName(), input);
                made.add(name(node) + ": is taken out, since its files would outlive the attempt");
                return;
            }
            // who reads it twice finds what was drawn the first time
            NodeDef.Builder cache = Protos.node(
                    node.getName(),
                    "CacheDataset",
                    input,
                    scope.constant(node.getName() + "/memory", Protos.bytes(ByteString.EMPTY)));
            DatasetOps.setComponents(cache, "output_types", DatasetOps.components(node));
            scope.put(cache.build());
            made.add(name(node) + ": is kept in memory, since its files would outlive the attempt");
        }

        /** Whether a dataset's elements, or their order, follow from chance. */
        private boolean isDrawn(String root) {
            PipelineGraph below = new PipelineGraph(
                    pipeline.nodes().values(), pipeline.functions().values(), root, pipeline.versions());
            return below.work()
                    .filter(node -> !pipeline.functions().containsKey(node.getOp()))
                    .map(OpTraits::of)
                    .anyMatch(traits -> traits.draws() != OpTraits.Draws.NOTHING
                            || traits.family() == OpTraits.Family.SHUFFLE
                            || traits.family() == OpTraits.Family.RANDOM);
        }

        /** Options hold for the whole pipeline wherever they stand. */
        void options() {
            for (NodeDef node : scope.nodes()) {
                if (DatasetOps.isOptions(node)) {
                    scope.put(fixed(node, scope));
                }
            }
        }

        /** What is read beside the elements, as what a function captures, each task reads as a whole. */
        void beside(Sources sources) {
            Set<String> passed = new HashSet<>(sources.inside());
            sources.path().forEach(node -> passed.add(node.getName()));
            for (NodeDef node : scope.nodes()) {
                if (!passed.contains(node.getName()) && keepsInFiles(node, scope)) {
                    scope.put(inMemory(node.toBuilder(), scope).build());
                    made.add(names.getOrDefault(node.getName(), "cache of a dataset beside the elements")
                            + ": is kept in memory, since each task would write its file");
                }
            }
        }

        /** @param keyed whether what is drawn here is drawn by a key */
        private void survey(NodeDef node, Scope level, boolean keyed) {
            if (pipeline.functions().containsKey(node.getOp())) {
                return;
            }
            OpTraits traits = OpTraits.of(node);
            boolean draws =
                    switch (traits.draws()) {
                        case NOTHING -> false;
                        case KEYABLE -> !keyed;
                        case UNKEYABLE -> true;
                    };
            boolean again =
                    switch (traits.repeats()) {
                        case YES -> true;
                        case SEEDED -> isSeeded(node, level);
                        case NO -> traits.draws() == OpTraits.Draws.KEYABLE || isSteadyQuery(node, level);
                    };
            // no key gives seeds to what a function makes of which nothing tells for what
            again &= keyed || !level.isFunction() || !DatasetOps.isDrawn(node) || !DatasetOps.isUnseeded(node, level);
            if (draws) {
                reasons.add(named(node) + " draws numbers that cannot be drawn again, " + WHERE);
            } else if (!again) {
                reasons.add(named(node) + " may give something else each time, " + WHERE);
            }
        }

        private static final String WHERE = "in a part of the pipeline whose elements are numbered as they come out";

        /** Whether its seeds come again: they are made of constants and elements. Both 0 would mean none; then they are keyed. */
        private static boolean isSeeded(NodeDef node, Scope level) {
            List<Optional<Long>> seeds = Stream.of(OpTraits.Input.SEED, OpTraits.Input.SEED2)
                    .map(input -> DatasetOps.number(node, input, level))
                    .toList();
            return seeds.stream().allMatch(Optional::isPresent)
                    || seeds.stream().flatMap(Optional::stream).anyMatch(seed -> seed != 0);
        }

        /** Whether it asks a database for what follows from its contents alone. */
        private static boolean isSteadyQuery(NodeDef node, Scope level) {
            return QUERIES.contains(node.getOp())
                    && Constants.string(level, node.getInput(2))
                            .filter(query -> !UNSTEADY.matcher(query).find())
                            .isPresent();
        }

        private String named(NodeDef node) {
            return DatasetOps.word(node.getOp()) + " (" + node.getOp() + ", node " + node.getName() + ")";
        }

        private String name(NodeDef node) {
            return StepNote.named(node, names, " inside a function");
        }

        private NodeDef fixed(NodeDef node, Scope level) {
            NodeDef.Builder fixed = node.toBuilder();
            boolean ordered = false;
            if (DatasetOps.overtakes(node)) {
                fixed.putAttr("deterministic", Protos.string("true"));
                ordered = true;
            }
            if (node.getAttrOrDefault("sloppy", AttrValue.getDefaultInstance()).getB()) {
                fixed.putAttr("sloppy", Protos.bool(false));
                ordered = true;
            }
            OpTraits traits = OpTraits.of(node);
            Optional<String> sloppy = traits.input(node, OpTraits.Input.SLOPPY)
                    .filter(input -> Constants.bool(level, input).orElse(true));
            if (sloppy.isPresent()) {
                traits.setInput(fixed, OpTraits.Input.SLOPPY, level.constant("sloppy", Protos.flag(false)));
                ordered = true;
            }
            if (DatasetOps.isOptions(node) && !isOrdered(node)) {
                fixed.putAttr("serialized_options", ordered(node));
                ordered = true;
            }
            if (ordered) {
                made.add(name(node) + ": is made to keep its order, so that it can be read again");
            }
            if (keepsInFiles(node, level)) {
                inMemory(fixed, level);
                String anew = level.isFunction() ? "; what is drawn before it is another in each epoch" : "";
                made.add(name(node) + ": is kept in memory, since a file would outlive the attempt" + anew);
            }
            Optional<Long> cycle = DatasetOps.number(node, OpTraits.Input.CYCLE, level);
            if (cycle.filter(open -> open < 1).isPresent()) {
                long calls =
                        DatasetOps.number(node, OpTraits.Input.CALLS, level).orElse(1L);
                long open = Math.max(CYCLE, calls);
                traits.setInput(fixed, OpTraits.Input.CYCLE, level.constant("cycle_length", Protos.int64(open)));
                made.add(name(node) + ": has " + open + " datasets open at a time, where TensorFlow would take as many"
                        + " as the host has cores, so that it can be read again");
            }
            return fixed.build();
        }

        private static boolean keepsInFiles(NodeDef node, Scope level) {
            OpTraits traits = OpTraits.of(node);
            return traits.family() == OpTraits.Family.CACHE
                    && traits.input(node, OpTraits.Input.FILES)
                            .flatMap(input -> Constants.string(level, input))
                            .filter(String::isEmpty)
                            .isEmpty();
        }

        private static NodeDef.Builder inMemory(NodeDef.Builder cache, Scope level) {
            String none = level.constant("cache_file", Protos.bytes(ByteString.EMPTY));
            OpTraits.of(cache.getOp()).setInput(cache, OpTraits.Input.FILES, none);
            return cache;
        }

        private static boolean isOrdered(NodeDef options) {
            return DatasetOps.options(options)
                    .filter(found ->
                            found.getOptionalDeterministicCase() != Options.OptionalDeterministicCase.DETERMINISTIC
                                    || found.getDeterministic())
                    .isPresent();
        }

        private static AttrValue ordered(NodeDef options) {
            Options.Builder changed =
                    DatasetOps.options(options).map(Options::toBuilder).orElseGet(Options::newBuilder);
            return AttrValue.newBuilder()
                    .setS(changed.setDeterministic(true).build().toByteString())
                    .build();
        }
    }
}
