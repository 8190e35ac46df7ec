package io.praline.worker.graph.ordering;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.ordering.SplitPipeline.Link;
import io.praline.worker.graph.ordering.function.Effects;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import io.praline.worker.graph.ordering.step.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.VersionDef;

/** One section of a pipeline in another order. */
final class SectionOrder {
    /** A size that is known only when data comes. */
    private static final long ANY = -1;

    private final Scope scope;
    private final Map<String, FunctionDef> functions;
    private final VersionDef versions;
    private final OpInference ops;
    private List<ElementComponent> given = List.of();
    /** What the user's batch is made of. */
    private List<ElementComponent> batched = List.of();
    /** What a batch's elements consist of; empty in front of the batch, and behind a step that only the user's batches fit. */
    private Optional<List<ElementComponent>> elements = Optional.empty();

    /** @param functions get those that are changed on the way */
    SectionOrder(Scope scope, Map<String, FunctionDef> functions, VersionDef versions, OpInference ops) {
        this.scope = scope;
        this.functions = functions;
        this.versions = versions;
        this.ops = ops;
    }

    static boolean isBarrier(NodeDef node, Link link) {
        boolean moves = MapNode.isMap(node)
                || MapNode.isFilter(node)
                || OpTraits.of(node).isBatch();
        return !moves || SplitMaps.isPinned(link.transformation());
    }

    /**
     * Rewires the nodes of the section.
     *
     * @param early those of the ordered ones that work on batches of their own
     * @return the pipeline's root, which may have been the section's last node
     */
    String apply(List<Link> written, List<Link> ordered, List<Recipe.Early> early, String root) {
        int batch = batchOf(written);
        int batchNow = batch < 0 ? -1 : ordered.indexOf(written.get(batch));
        if (!early.isEmpty() && batch >= 0 && early.get(early.size() - 1).to() > batchNow) {
            throw new RefusedRecipe(
                    "what stands behind " + written.get(batch).name() + " works on its batches and needs no others");
        }
        boolean vectorises =
                batch >= 0 && written.subList(0, batch).stream().anyMatch(link -> ordered.indexOf(link) > batchNow);
        String at = scope.node(written.get(0).node()).getInput(0);
        String lastNode = written.get(written.size() - 1).node();
        List<ElementComponent> wanted = scope.components(lastNode);
        given = scope.components(at);
        batched = batch < 0
                ? List.of()
                : scope.components(scope.node(written.get(batch).node()).getInput(0));
        Map<Integer, Recipe.Early> begins = early.stream().collect(Collectors.toMap(Recipe.Early::from, each -> each));
        Map<Integer, Recipe.Early> ends = early.stream().collect(Collectors.toMap(each -> each.to() - 1, each -> each));
        boolean apart = ends.containsKey(ordered.size() - 1);
        String last =
                apart ? scope.fresh("unbatch") : ordered.get(ordered.size() - 1).node();
        if (!last.equals(lastNode)) {
            scope.redirect(lastNode, last);
        }
        // before any of them is changed
        List<List<ElementComponent>> taken = ordered.stream()
                .map(link -> scope.components(scope.node(link.node()).getInput(0)))
                .toList();
        List<List<ElementComponent>> said = IntStream.rangeClosed(1, ordered.size())
                .mapToObj(done -> said(written, ordered.subList(0, done)))
                .toList();
        boolean together = false;
        for (int i = 0; i < ordered.size(); i++) {
            Link link = ordered.get(i);
            if (begins.containsKey(i)) {
                at = together(at, begins.get(i).size(), link.name());
                together = true;
            }
            NodeDef node = scope.node(link.node()).toBuilder().setInput(0, at).build();
            boolean stoodBehind = batch >= 0 && written.indexOf(link) > batch;
            boolean standsBehind = batch >= 0 && i > batchNow;
            if (stoodBehind && !standsBehind) {
                throw new RefusedRecipe(link.name() + " works on batches and cannot stand in front of "
                        + written.get(batch).name());
            }
            boolean onRows = together || (standsBehind && !stoodBehind);
            boolean mustBeSaid = onRows || (vectorises && i == batchNow - 1);
            try {
                NodeDef.Builder placed = i == batchNow
                        ? batch(node, vectorises)
                        : placed(node, taken.get(i), onRows, standsBehind, mustBeSaid ? said.get(i) : List.of());
                scope.put(placed.build());
            } catch (RefusedRecipe | RefusedPipeline refused) {
                throw new RefusedRecipe(link.name(), refused);
            }
            at = link.node();
            if (ends.containsKey(i)) {
                at = apart(at, i == ordered.size() - 1 ? last : scope.fresh("unbatch_inside"), link.name());
                together = false;
            }
        }
        NodeDef.Builder end = scope.node(at).toBuilder();
        MapNode.setYielded(end, agreed(wanted));
        scope.put(end.build());
        return Scope.nodeOf(root).equals(lastNode) ? last : root;
    }

    private int batchOf(List<Link> links) {
        int batch = -1;
        for (int i = 0; i < links.size(); i++) {
            if (OpTraits.of(scope.node(links.get(i).node())).isBatch()) {
                if (batch >= 0) {
                    throw new RefusedRecipe(links.get(batch).name() + " and "
                            + links.get(i).name() + " both make batches, and only one can be moved past");
                }
                batch = i;
            }
        }
        return batch;
    }

    /** Puts single elements together for the steps that follow. */
    private String together(String at, int size, String step) {
        if (!given.stream().allMatch(SectionOrder::isTakenApart) || DatasetOps.yieldsBatches(scope, at)) {
            throw new RefusedRecipe("in front of " + step + " elements need not have one shape, or have no values: "
                    + TensorSpec.of(given));
        }
        elements = Optional.of(given);
        given = given.stream().map(component -> component.inBatches(ANY)).toList();
        NodeDef.Builder batch = EarlyBatches.marked(Protos.node(
                scope.fresh("early_batch"),
                "BatchDatasetV2",
                at,
                scope.constant("early_batch_size", Protos.int64(size)),
                scope.constant("early_batch_drops", Protos.flag(false))));
        MapNode.setYielded(batch, given);
        scope.put(batch.build());
        return batch.getName();
    }

    /** Takes early batches apart again. */
    private String apart(String at, String name, String step) {
        given = elements.filter(single -> single.stream().allMatch(SectionOrder::isTakenApart))
                .orElseThrow(() ->
                        new RefusedRecipe("behind " + step + " elements need not have one shape, or have no values"));
        elements = Optional.empty();
        NodeDef.Builder unbatch = EarlyBatches.marked(Protos.node(name, "UnbatchDataset", at));
        MapNode.setYielded(unbatch, given);
        scope.put(unbatch.build());
        return name;
    }

    /** Of a tensor without values TensorFlow takes no row, but the process ends. */
    private static boolean isTakenApart(ElementComponent component) {
        return component.isStatic() && !component.shape().contains(0L);
    }

    /**
     * What the user's order says of an element behind some of its steps, whatever their own order: who wrote the pipeline may
     * have said shapes that do not follow from what is in it.
     */
    private List<ElementComponent> said(List<Link> written, List<Link> done) {
        List<ElementComponent> said = new ArrayList<>(given);
        for (Link link : written) {
            NodeDef node = scope.node(link.node());
            if (!done.contains(link) || !MapNode.isMap(node)) {
                continue;
            }
            List<ElementComponent> yielded = scope.components(link.node());
            FunctionDef function = new MapNode(node).function(functions);
            if (yielded.size() != said.size()) {
                said = new ArrayList<>(yielded);
                continue;
            }
            for (int i = 0; i < yielded.size(); i++) {
                String result = Scope.result(function, i);
                if (!result.equals(function.getSignature().getInputArg(i).getName())) {
                    said.set(i, yielded.get(i));
                }
            }
        }
        return said;
    }

    /**
     * A function whose results have the shapes that are said of them, or fail.
     *
     * @param found what is known of them without
     * @param said of those that it gives, or of a row of each
     */
    private static FunctionDef ensured(
            FunctionDef function,
            List<ElementComponent> found,
            List<ElementComponent> said,
            UnaryOperator<ElementComponent> given) {
        FunctionDef.Builder ensured = function.toBuilder();
        for (int i = 0; i < said.size(); i++) {
            ElementComponent shape = given.apply(said.get(i));
            String result = function.getSignature().getOutputArg(i).getName();
            if (!found.get(i).isStatic() && said.get(i).isStatic()) {
                String name = "praline_said_" + i;
                ensured.addNodeDef(Protos.node(name, "EnsureShape", function.getRetOrThrow(result))
                        .putAttr("T", Protos.type(found.get(i).dtype()))
                        .putAttr(
                                "shape",
                                AttrValue.newBuilder()
                                        .setShape(Protos.shape(shape.shape()))
                                        .build()));
                ensured.putRet(result, name + ":output:0");
            }
        }
        return ensured.build();
    }

    /**
     * A step behind those that were placed.
     *
     * @param taken what it is given in the user's order
     * @param said of what it gives, where that must have a shape; empty where it need not
     */
    private NodeDef.Builder placed(
            NodeDef node,
            List<ElementComponent> taken,
            boolean vectorised,
            boolean onBatches,
            List<ElementComponent> said) {
        MapNode map = new MapNode(node);
        if (MapNode.isFilter(node) && vectorised) {
            throw new RefusedRecipe("a filter takes single elements and cannot stand behind the batch");
        }
        FunctionDef function = map.function(functions);
        int takes = function.getSignature().getInputArgCount() - map.captured().size();
        if (takes != given.size()) {
            throw new RefusedRecipe("it takes " + takes + " components and would be given " + given.size());
        }
        FunctionDef changed = new Retype(functions, ops)
                .of(function, given.stream().map(ElementComponent::dtype).toList());
        FunctionTypes types = new FunctionTypes(ops, versions, functions);
        List<Optional<NodeDef>> constants = map.constants(scope);
        if (!vectorised) {
            changed = new ChosenSizes(types, functions).of(changed, taken, given, constants);
        }
        if (vectorised) {
            List<ElementComponent> single = elements.orElseThrow(
                    () -> new RefusedRecipe("it would stand behind a step of which only whole batches are known"));
            Map<String, ElementComponent> known = types.of(changed, single, constants);
            Effects effects = new Effects(functions, ops);
            List<ElementComponent> found = results(changed, known);
            changed = ensured(
                    new Vectorise(changed, single.size(), known, effects).function(),
                    found,
                    said,
                    row -> row.inBatches(ANY));
            elements = Optional.of(IntStream.range(0, found.size())
                    .mapToObj(i -> found.get(i).agreed(said.get(i)).orElse(found.get(i)))
                    .toList());
        } else if (onBatches) {
            elements = Optional.empty();
        }
        if (!said.isEmpty() && !vectorised && !MapNode.isFilter(node)) {
            changed = ensured(changed, results(changed, types.of(changed, given, constants)), said, shape -> shape);
        }
        if (!changed.equals(function)) {
            changed = added(changed);
        }
        NodeDef.Builder placed = map.calling(changed.getSignature().getName());
        Map<String, ElementComponent> known = types.of(changed, given, constants);
        if (!MapNode.isFilter(node)) {
            given = results(changed, known);
        }
        MapNode.setYielded(placed, given);
        return placed;
    }

    /** What a function gives, by what is known of all that it calculates. */
    static List<ElementComponent> results(FunctionDef function, Map<String, ElementComponent> types) {
        return function.getSignature().getOutputArgList().stream()
                .map(OpDef.ArgDef::getName)
                .map(function::getRetOrThrow)
                .map(types::get)
                .toList();
    }

    private FunctionDef added(FunctionDef function) {
        String name = PipelineGraph.freshName(function.getSignature().getName() + "_moved", functions);
        FunctionDef.Builder renamed = function.toBuilder();
        renamed.getSignatureBuilder().setName(name);
        functions.put(name, renamed.build());
        return renamed.build();
    }

    private NodeDef.Builder batch(NodeDef node, boolean vectorises) {
        boolean padded = OpTraits.of(node).family() == OpTraits.Family.PADDED_BATCH;
        if (vectorises && padded) {
            return batch(unpadded(node), true);
        }
        if (vectorises && !given.stream().allMatch(ElementComponent::isStatic)) {
            throw new RefusedRecipe("elements need not have one shape in front of it: " + TensorSpec.of(given));
        }
        List<ElementComponent> written = DatasetOps.components(node);
        if (padded) {
            boolean same = written.stream()
                    .map(ElementComponent::dtype)
                    .toList()
                    .equals(given.stream().map(ElementComponent::dtype).toList());
            if (!same) {
                throw new RefusedRecipe("its padding has types of its own, which would differ from the elements'");
            }
            given = written;
            return node.toBuilder();
        }
        elements = Optional.of(given);
        boolean drops = DatasetOps.dropsRemainder(node, scope).orElse(false);
        long size = drops ? DatasetOps.batchSize(node, scope).orElse(ANY) : ANY;
        given = given.stream().map(component -> component.inBatches(size)).toList();
        NodeDef.Builder batch = node.toBuilder();
        MapNode.setYielded(batch, given);
        return batch;
    }

    /** As it is without padding, of which the graph must say that there is none. */
    private NodeDef unpadded(NodeDef node) {
        List<ElementComponent> batches = DatasetOps.components(node);
        boolean pads = !node.getOp().equals("PaddedBatchDatasetV2");
        for (int i = 0; i < batches.size(); i++) {
            ElementComponent element = batched.get(i);
            pads |= !element.isStatic()
                    || !batches.get(i)
                            .shape()
                            .subList(1, element.shape().size() + 1)
                            .equals(element.shape());
        }
        if (pads) {
            throw new RefusedRecipe("behind it elements have no longer shapes of their own, which a step needs");
        }
        NodeDef.Builder plain = Protos.node(
                node.getName(),
                "BatchDatasetV2",
                node.getInput(0),
                node.getInput(1),
                node.getInput(node.getInputCount() - 1));
        MapNode.setYielded(plain, batches);
        if (node.containsAttr("metadata")) {
            plain.putAttr("metadata", node.getAttrOrThrow("metadata"));
        }
        return plain.build();
    }

    /** What comes out, as exactly as either side knows it. */
    private List<ElementComponent> agreed(List<ElementComponent> wanted) {
        if (wanted.size() != given.size()) {
            throw new RefusedRecipe(
                    "in that order the section gives " + given.size() + " components, not " + wanted.size());
        }
        List<ElementComponent> agreed = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            agreed.add(wanted.get(i)
                    .agreed(given.get(i))
                    .orElseThrow(() -> new RefusedRecipe("in that order the section gives " + TensorSpec.of(given)
                            + ", not " + TensorSpec.of(wanted))));
        }
        return agreed;
    }
}
