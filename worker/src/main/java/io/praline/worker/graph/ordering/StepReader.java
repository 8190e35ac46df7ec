package io.praline.worker.graph.ordering;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.ordering.function.Body;
import io.praline.worker.graph.ordering.function.Effects;
import io.praline.worker.graph.ordering.function.Flows;
import io.praline.worker.graph.ordering.function.Flows.From;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import io.praline.worker.graph.ordering.step.FailingOps;
import io.praline.worker.graph.ordering.step.OpKinds;
import io.praline.worker.graph.ordering.step.OpSettings;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import io.praline.worker.graph.ordering.step.StepOp;
import io.praline.worker.graph.ordering.step.TensorSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;

/** Reads off a function what it does. What is not known for sure is {@link StepKind#OPAQUE}, and may fail. */
final class StepReader {
    /** Bytes as they are, and the shape that they are given. */
    private static final Set<String> RAW = Set.of("DecodeRaw", "Reshape", "Identity");

    private final Effects effects;
    private final Set<StepKind> kinds = EnumSet.noneOf(StepKind.class);
    private final List<StepOp> ops = new ArrayList<>();
    private boolean neutral;
    private boolean calculatesWithDraws;
    private boolean draws;
    private boolean drawsFromShape;
    private boolean mayFail;

    private StepReader(Effects effects) {
        this.effects = effects;
    }

    /**
     * What the function of a map or a filter does.
     *
     * @param types of all that it calculates, as {@link FunctionTypes} infers them
     * @param captured constants of the graph, by the arguments under which it captures them
     * @param before components of the element in front of it
     * @param after those behind it; empty of a filter, which yields what it is given
     */
    static StepDescription read(
            String name,
            String transformation,
            FunctionDef function,
            Effects effects,
            Map<String, ElementComponent> types,
            Map<String, NodeDef> captured,
            List<ElementComponent> before,
            Optional<List<ElementComponent>> after) {
        Body body = Body.of(function, effects);
        StepReader reader = new StepReader(effects);
        Flows flows = Flows.ofMap(body, effects, before.size());
        reader.read(body, flows, types, captured);
        boolean filter = after.isEmpty();
        if (!filter && body.results().stream().anyMatch(ref -> isOfNoValue(flows.of(ref)))) {
            reader.kinds.add(StepKind.OPAQUE);
        }
        boolean stateful =
                body.nodes().stream().anyMatch(node -> effects.isStateful(node) || effects.drawsUnkeyed(node));
        boolean restructures = !filter && restructures(body, before.size());
        return new StepDescription(
                name,
                transformation,
                filter ? StepKind.FILTER : stateful ? StepKind.STATEFUL : reader.kind(),
                reader.ops,
                reader.draws,
                reader.drawsFromShape,
                stateful,
                reader.mayFail || reader.kind() == StepKind.OPAQUE,
                SplitMaps.isPinned(transformation),
                reads(body, before.size(), filter),
                filter ? List.of() : writes(body, before.size()),
                restructures,
                TensorSpec.of(before),
                TensorSpec.of(after.orElse(before)));
    }

    /** Whether it is the same for all values of elements as large as this one: its size, or a constant. */
    private static boolean isOfNoValue(Set<From> result) {
        return !result.contains(From.VALUES) && !result.contains(From.DRAWS);
    }

    private void read(Body body, Flows flows, Map<String, ElementComponent> types, Map<String, NodeDef> captured) {
        drawsFromShape |= flows.drawsFromShape();
        FailingOps failing = new FailingOps(flows, types);
        for (NodeDef node : body.nodes()) {
            boolean drawsHere = effects.draws(node);
            draws |= drawsHere;
            mayFail |= effects.checks(node) || (body.kept().contains(node.getName()) && !drawsHere);
            if (flows.carriesValues(node)) {
                value(node, flows, types, failing, new OpSettings(body, flows, types, captured, effects.ops()));
            } else {
                mayFail |= failing.besideValues(node);
            }
        }
        boolean drawn = body.results().stream()
                .anyMatch(ref ->
                        flows.of(ref).contains(From.DRAWS) && !flows.of(ref).contains(From.VALUES));
        calculatesWithDraws |= drawn;
    }

    private void value(
            NodeDef node, Flows flows, Map<String, ElementComponent> types, FailingOps failing, OpSettings settings) {
        if (effects.functions().containsKey(node.getOp())) {
            kinds.add(StepKind.OPAQUE);
            return;
        }
        ops.add(settings.of(node));
        Set<From> beside = EnumSet.noneOf(From.class);
        int carrying = 0;
        for (String input : node.getInputList()) {
            if (flows.of(input).contains(From.VALUES)) {
                carrying++;
            } else {
                beside.addAll(flows.of(input));
            }
        }
        if (Flows.CHOICES.contains(node.getOp())) {
            choice(node, flows, types);
            return;
        }
        boolean first = flows.of(node.getInput(0)).contains(From.VALUES);
        StepKind kind = OpKinds.of(node).orElse(StepKind.OPAQUE);
        if (effects.draws(node)) {
            kind = kind == StepKind.OPAQUE ? StepKind.RANDOM : kind;
            calculatesWithDraws = true;
        }
        boolean chooses = OpKinds.SELECTS.contains(node.getOp()) && !first && !beside.isEmpty() && carrying == 2;
        if (chooses && isScalar(node.getInput(0), types)) {
            // chooses between two pictures as a draw says: what they are is said by what makes them
            neutral = true;
            mayFail |= failing.onValues(node, beside);
            return;
        }
        if (node.getOp().equals("GatherV2")) {
            kind = first ? StepKind.GEOMETRIC : StepKind.ELEMENTWISE;
            mayFail |= !first;
        }
        boolean severalParts = Set.of("Pack", "ConcatV2", "IdentityN").contains(node.getOp());
        // what is told by the element where or how is not what becomes of its values
        boolean taken =
                flows.of(node.getInput(node.getOp().equals("Split") ? 1 : 0)).contains(From.VALUES);
        boolean told = !(taken || effects.draws(node)) || (carrying > 1 && kind != StepKind.PARSE);
        if (told && kind != StepKind.ELEMENTWISE && !severalParts) {
            kind = StepKind.OPAQUE;
        }
        if (kind == StepKind.GEOMETRIC && OpKinds.isNeutral(node, failing.typeOf(node))) {
            neutral = true;
        } else {
            kinds.add(kind);
        }
        calculatesWithDraws |= kind != StepKind.GEOMETRIC && beside.contains(From.DRAWS);
        mayFail |= failing.onValues(node, beside);
    }

    /** Whether one decides for all values; where several do, each has its place. */
    private static boolean isScalar(String ref, Map<String, ElementComponent> types) {
        ElementComponent type = types.get(ref);
        return type != null && type.rankKnown() && type.shape().isEmpty();
    }

    private void choice(NodeDef node, Flows flows, Map<String, ElementComponent> types) {
        Set<From> condition = flows.of(node.getInput(0));
        if (condition.contains(From.VALUES) || condition.contains(From.SHAPES)) {
            kinds.add(StepKind.OPAQUE);
            mayFail = true;
            return;
        }
        List<Set<From>> arguments =
                node.getInputList().stream().skip(1).map(flows::of).toList();
        neutral = true;
        for (String name : branches(node)) {
            FunctionDef branch = effects.functions().get(name);
            if (branch == null || branch.getSignature().getInputArgCount() != arguments.size()) {
                kinds.add(StepKind.OPAQUE);
                return;
            }
            Map<String, ElementComponent> given = new HashMap<>();
            for (int i = 0; i < arguments.size(); i++) {
                ElementComponent type = types.get(node.getInput(i + 1));
                if (type != null) {
                    given.put(branch.getSignature().getInputArg(i).getName(), type);
                }
            }
            Body body = Body.of(branch, effects);
            Flows inside = Flows.of(body, effects, arguments);
            if (body.results().stream().anyMatch(ref -> !inside.of(ref).contains(From.VALUES))) {
                // what it gives in this case is no element's value
                kinds.add(StepKind.OPAQUE);
            }
            // what a branch is handed has other names in it
            read(body, inside, given, Map.of());
        }
    }

    static List<String> branches(NodeDef choice) {
        List<String> branches = new ArrayList<>();
        for (String key : List.of("then_branch", "else_branch")) {
            if (choice.containsAttr(key)) {
                branches.add(choice.getAttrOrThrow(key).getFunc().getName());
            }
        }
        choice.getAttrOrDefault("branches", AttrValue.getDefaultInstance()).getList().getFuncList().stream()
                .map(NameAttrList::getName)
                .forEach(branches::add);
        return branches;
    }

    private StepKind kind() {
        if (kinds.contains(StepKind.OPAQUE)) {
            return StepKind.OPAQUE;
        }
        if (calculatesWithDraws) {
            return StepKind.RANDOM;
        }
        if (kinds.isEmpty()) {
            return neutral ? StepKind.GEOMETRIC : StepKind.ELEMENTWISE;
        }
        if (kinds.size() == 1) {
            return kinds.iterator().next();
        }
        boolean shapesWhatIsDecoded = kinds.equals(EnumSet.of(StepKind.DECODE, StepKind.GEOMETRIC))
                && ops.stream().allMatch(op -> RAW.contains(op.op()));
        if (shapesWhatIsDecoded) {
            return StepKind.DECODE;
        }
        if (kinds.equals(EnumSet.of(StepKind.ELEMENTWISE, StepKind.COLOUR))) {
            return StepKind.COLOUR;
        }
        return kinds.equals(EnumSet.of(StepKind.ELEMENTWISE, StepKind.REDUCE)) ? StepKind.REDUCE : StepKind.OPAQUE;
    }

    private static boolean restructures(Body body, int components) {
        if (body.results().size() != components) {
            return true;
        }
        for (int i = 0; i < components; i++) {
            for (int j = 0; j < components; j++) {
                if (i != j
                        && body.results().get(i).equals(body.arguments().get(j).getName())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Integer> reads(Body body, int components, boolean filter) {
        Set<String> read = new HashSet<>();
        body.nodes().forEach(node -> read.addAll(node.getInputList()));
        Set<Integer> places = new TreeSet<>();
        for (int i = 0; i < components; i++) {
            String name = body.arguments().get(i).getName();
            boolean elsewhere = false;
            for (int j = 0; j < body.results().size(); j++) {
                elsewhere |= (filter || i != j) && body.results().get(j).equals(name);
            }
            if (read.contains(name) || elsewhere) {
                places.add(i);
            }
        }
        return List.copyOf(places);
    }

    private static List<Integer> writes(Body body, int components) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < body.results().size(); i++) {
            if (i >= components
                    || !body.results().get(i).equals(body.arguments().get(i).getName())) {
                places.add(i);
            }
        }
        return places;
    }
}
