package io.praline.worker.graph.ordering;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.ordering.SplitPipeline.Link;
import io.praline.worker.graph.ordering.function.Effects;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import io.praline.worker.graph.ordering.step.StepOp;
import io.praline.worker.graph.ordering.step.TensorSpec;
import io.praline.worker.graph.source.Birth;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.Sources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What the steps of a pipeline are, from the sources to the root. */
public final class Steps {
    /** Of which rules know what they give on a batch. */
    private static final Set<StepKind> ON_BATCHES =
            Set.of(StepKind.DECODE, StepKind.ELEMENTWISE, StepKind.GEOMETRIC, StepKind.PARSE);

    private final OpInference ops;

    public Steps(OpInference ops) {
        this.ops = ops;
    }

    public List<StepDescription> of(SplitPipeline split) {
        List<StepDescription> steps = new ArrayList<>();
        Scope scope = split.graph().scope();
        Map<String, FunctionDef> functions = split.graph().functions();
        FunctionTypes types = new FunctionTypes(ops, split.graph().versions(), functions);
        Effects effects = new Effects(functions, ops);
        Sources sources = Sources.of(split.graph());
        List<Birth> births = Birth.of(split.graph(), sources);
        Set<String> counted = countedByDraws(split, births);
        Set<String> single = births.stream()
                // each is followed to count its children, from the shuffle on
                .flatMap(birth -> birth.children().steps().stream())
                .collect(Collectors.toSet());
        single.addAll(beforeAnOrder(sources, births));
        for (Link link : split.links()) {
            NodeDef node = scope.node(link.node());
            if (MapNode.isMap(node) || MapNode.isFilter(node)) {
                MapNode map = new MapNode(node);
                List<ElementComponent> before = scope.components(node.getInput(0));
                boolean filter = MapNode.isFilter(node);
                FunctionDef function = map.function(functions);
                try {
                    Map<String, ElementComponent> known = types.of(function, before, map.constants(scope));
                    StepDescription step = StepReader.read(
                            link.name(),
                            link.transformation(),
                            function,
                            effects,
                            known,
                            captured(function, before.size(), map.constants(scope)),
                            before,
                            filter ? Optional.empty() : Optional.of(DatasetOps.components(node)));
                    boolean tried = ON_BATCHES.contains(step.kind()) && !step.draws();
                    StepDescription told = tried ? onBatches(step, function, known, effects) : step;
                    told = single.contains(node.getName()) ? told.ofSingleElements() : told;
                    steps.add(step.draws() && counted.contains(node.getName()) ? step.counting() : told);
                } catch (RefusedPipeline notByItself) {
                    steps.add(unknown(link, filter, before, DatasetOps.components(node)));
                }
            } else {
                steps.add(other(link, node, scope));
            }
        }
        return steps;
    }

    /** Tried, since an order that puts it behind a batch could not be carried out otherwise. */
    private static StepDescription onBatches(
            StepDescription step, FunctionDef function, Map<String, ElementComponent> types, Effects effects) {
        try {
            new Vectorise(function, step.before().size(), types, effects).function();
            return step;
        } catch (RefusedRecipe noRule) {
            return step.ofSingleElements();
        }
    }

    /**
     * Where draws follow from how many elements came before, since tickets are born later, and a filter among these steps
     * says how many that are.
     */
    private static Set<String> countedByDraws(SplitPipeline split, List<Birth> births) {
        Set<String> counted = new HashSet<>();
        for (Birth birth : births) {
            boolean filters = birth.steps().stream()
                    .anyMatch(step -> MapNode.isFilter(split.graph().nodes().get(step)));
            if (filters) {
                counted.addAll(birth.steps());
            }
        }
        return counted;
    }

    /**
     * Between a constant's elements and a shuffle of them that gives way to the order of splits: one of rows that were in a batch
     * does not.
     */
    private static Set<String> beforeAnOrder(Sources sources, List<Birth> births) {
        Set<String> steps = new HashSet<>();
        for (int k = 0; k < births.size(); k++) {
            FoundSource found = sources.found().get(k);
            if (found.how() == FoundSource.How.SLICES && found.source().shuffled()) {
                steps.addAll(births.get(k).steps());
            }
        }
        return steps;
    }

    /** Runs of steps between which something stands that nothing moves past; none is empty. */
    public static List<List<StepDescription>> sections(List<StepDescription> steps) {
        List<List<StepDescription>> sections = new ArrayList<>();
        List<StepDescription> section = new ArrayList<>();
        for (StepDescription step : steps) {
            if (step.isBarrier()) {
                sections.add(section);
                section = new ArrayList<>();
            } else {
                section.add(step);
            }
        }
        sections.add(section);
        return sections.stream()
                .filter(each -> !each.isEmpty())
                .map(List::copyOf)
                .toList();
    }

    private static Map<String, NodeDef> captured(
            FunctionDef function, int components, List<Optional<NodeDef>> constants) {
        Map<String, NodeDef> captured = new TreeMap<>();
        for (int i = 0; i < constants.size(); i++) {
            String argument =
                    function.getSignature().getInputArg(components + i).getName();
            constants.get(i).ifPresent(constant -> captured.put(argument, constant));
        }
        return captured;
    }

    /** A map or filter of which TensorFlow infers nothing by itself. */
    private static StepDescription unknown(
            Link link, boolean filter, List<ElementComponent> before, List<ElementComponent> after) {
        return new StepDescription(
                link.name(),
                link.transformation(),
                StepKind.OPAQUE,
                List.of(),
                false,
                false,
                false,
                true,
                SplitMaps.isPinned(link.transformation()),
                IntStream.range(0, before.size()).boxed().toList(),
                filter ? List.of() : IntStream.range(0, after.size()).boxed().toList(),
                !filter,
                TensorSpec.of(before),
                TensorSpec.of(after));
    }

    private static StepDescription other(Link link, NodeDef node, Scope scope) {
        boolean batch = OpTraits.of(node).isBatch();
        List<ElementComponent> after = scope.components(node.getName());
        List<ElementComponent> before = node.getInputCount() > 0
                        && scope.producer(node.getInput(0))
                                .filter(DatasetOps::isDataset)
                                .isPresent()
                ? scope.components(node.getInput(0))
                : after;
        Map<String, String> settings = new TreeMap<>();
        DatasetOps.batchSize(node, scope).ifPresent(size -> settings.put("batch_size", Long.toString(size)));
        DatasetOps.dropsRemainder(node, scope)
                .ifPresent(drops -> settings.put("drop_remainder", Boolean.toString(drops)));
        List<Integer> places = IntStream.range(0, before.size()).boxed().toList();
        return new StepDescription(
                link.name(),
                link.transformation(),
                batch ? StepKind.BATCH : StepKind.BARRIER,
                List.of(new StepOp(
                        node.getOp(),
                        before.stream().map(ElementComponent::dtypeName).toList(),
                        after.stream().map(ElementComponent::dtypeName).toList(),
                        settings)),
                false,
                false,
                false,
                !batch || !before.stream().allMatch(ElementComponent::isStatic),
                SplitMaps.isPinned(link.transformation()),
                places,
                batch ? places : List.of(),
                false,
                TensorSpec.of(before),
                TensorSpec.of(after));
    }
}
