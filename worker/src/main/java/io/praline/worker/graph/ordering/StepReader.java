package io.praline.worker.graph.ordering;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.ordering.function.Body;
import io.praline.worker.graph.ordering.function.Effects;
import io.praline.worker.graph.ordering.function.Flows;
import io.praline.worker.graph.ordering.function.Flows.From;
import io.praline.worker.graph.ordering.function.FunctionTypes;
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
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorShapeProto;

/** Reads off a function what it does. What is not known for sure is {@link StepKind#OPAQUE}, and may fail. */
final class StepReader {
    /** Bytes as they are, and the shape that they are given. */
    private static final Set<String> RAW = Set.of("DecodeRaw", "Reshape", "Identity");

    /** Of whole numbers they fail where one is divided by zero. */
    private static final Set<String> DIVIDING =
            Set.of("Div", "FloorDiv", "FloorMod", "Mod", "RealDiv", "TruncateDiv", "TruncateMod");

    private static final Set<DataType> OF_FRACTIONS = Set.of(
            DataType.DT_HALF,
            DataType.DT_BFLOAT16,
            DataType.DT_FLOAT,
            DataType.DT_DOUBLE,
            DataType.DT_COMPLEX64,
            DataType.DT_COMPLEX128);

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

    private void read(Body body, Flows flows, Map<String, ElementComponent> types, Map<String, NodeDef> captured) {
        drawsFromShape |= flows.drawsFromShape();
        for (NodeDef node : body.nodes()) {
            boolean drawsHere = effects.draws(node);
            draws |= drawsHere;
            mayFail |= effects.checks(node) || (body.kept().contains(node.getName()) && !drawsHere);
            if (flows.carriesValues(node)) {
                value(node, flows, types, new OpSettings(body, flows, types, captured, effects.ops()));
            } else {
                mayFail |= !flows.of(node.getName()).isEmpty()
                        && (mayFailBesideValues(node) || mayFailOnSizes(node, flows, types));
            }
        }
        boolean drawn = body.results().stream()
                .anyMatch(ref ->
                        flows.of(ref).contains(From.DRAWS) && !flows.of(ref).contains(From.VALUES));
        calculatesWithDraws |= drawn;
    }

    /** What calculates with shapes and draws only can be left out of the ops, but not what it may fail on. */
    private boolean mayFailBesideValues(NodeDef node) {
        return OpKinds.of(node).isEmpty()
                && !Flows.SHAPES.contains(node.getOp())
                && OpTraits.of(node).family() == OpTraits.Family.PURE
                && !node.getOp().startsWith("Stateless");
    }

    /** Whether it fails on sizes that an element may have: no draw lies in an empty range, and nothing is divided by zero. */
    private static boolean mayFailOnSizes(NodeDef node, Flows flows, Map<String, ElementComponent> types) {
        List<String> inputs = node.getInputList();
        if (DIVIDING.contains(node.getOp())) {
            return flows.of(inputs.get(1)).contains(From.SHAPES)
                    && !OF_FRACTIONS.contains(typeOf(node, types).dtype());
        }
        if (node.getOp().equals("StridedSlice")) {
            return OpKinds.mask(node, "shrink_axis_mask") != 0
                    && !typeOf(inputs.get(0), types).isStatic();
        }
        // the least and the first one too large come last
        return node.getOp().contains("UniformInt")
                && inputs.subList(inputs.size() - 2, inputs.size()).stream()
                        .anyMatch(bound -> flows.of(bound).contains(From.SHAPES));
    }

    private void value(NodeDef node, Flows flows, Map<String, ElementComponent> types, OpSettings settings) {
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
            return;
        }
        if (node.getOp().equals("GatherV2")) {
            kind = first ? StepKind.GEOMETRIC : StepKind.ELEMENTWISE;
            mayFail |= !first;
        }
        boolean severalParts = Set.of("Pack", "ConcatV2", "IdentityN").contains(node.getOp());
        boolean fromValues = kind != StepKind.ELEMENTWISE && kind != StepKind.PARSE && carrying > 1 && !severalParts;
        if (fromValues) {
            kind = StepKind.OPAQUE;
        }
        if (kind == StepKind.GEOMETRIC && OpKinds.isNeutral(node, typeOf(node, types))) {
            neutral = true;
        } else {
            kinds.add(kind);
        }
        calculatesWithDraws |= kind != StepKind.GEOMETRIC && beside.contains(From.DRAWS);
        mayFail |= mayFail(node, flows, beside, types);
    }

    /** Whether one decides for all values; where several do, each has its place. */
    private static boolean isScalar(String ref, Map<String, ElementComponent> types) {
        ElementComponent type = types.get(ref);
        return type != null && type.rankKnown() && type.shape().isEmpty();
    }

    private static ElementComponent typeOf(NodeDef node, Map<String, ElementComponent> types) {
        return typeOf(node.getInput(0), types);
    }

    /** Of what a branch calculates nothing is known. */
    private static ElementComponent typeOf(String ref, Map<String, ElementComponent> types) {
        return types.getOrDefault(ref, new ElementComponent(DataType.DT_INVALID, false, List.of()));
    }

    private boolean mayFail(NodeDef node, Flows flows, Set<From> beside, Map<String, ElementComponent> types) {
        ElementComponent input = typeOf(node, types);
        boolean known = beside.isEmpty()
                && node.getInputList().stream()
                        .filter(ref -> flows.of(ref).contains(From.VALUES))
                        .allMatch(ref -> typeOf(ref, types).isStatic());
        boolean shrinks = OpKinds.mask(node, "shrink_axis_mask") != 0;
        StepKind kind = OpKinds.of(node).orElse(StepKind.OPAQUE);
        if (kind == StepKind.GEOMETRIC && !input.rankKnown()) {
            return true;
        }
        if (kind == StepKind.ELEMENTWISE && !Broadcasts.fit(node, types)) {
            return true;
        }
        return switch (node.getOp()) {
            // what fails on a static shape would have failed when the shape was inferred
            case "StridedSlice" -> shrinks && !known && !OpKinds.isNeutral(node, input);
            case "EnsureShape" -> !isEnsured(node, input);
            case "Pad", "PadV2", "ReverseV2", "Roll", "Tile", "Transpose" -> !beside.isEmpty();
            case "Slice",
                    "ImageProjectiveTransformV2",
                    "ImageProjectiveTransformV3",
                    "MirrorPad",
                    "ResizeArea",
                    "ResizeBicubic",
                    "ResizeBilinear",
                    "ResizeNearestNeighbor",
                    "ScaleAndTranslate",
                    "Reshape",
                    "Squeeze",
                    "GatherV2",
                    "Pack",
                    "ConcatV2",
                    "Split",
                    "SplitV",
                    "Unpack",
                    "BroadcastTo",
                    "MatMul",
                    "BatchMatMulV2",
                    // these two take tensors of one shape only, of nothing there is no largest, and some bytes make no
                    // number
                    "AddN",
                    "Select",
                    "ArgMax",
                    "ArgMin",
                    "Bitcast" -> !known;
            // whole numbers have no power below zero
            case "Pow" -> !OF_FRACTIONS.contains(input.dtype());
            case "All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum" ->
                !input.rankKnown() || !beside.isEmpty();
            case "OneHot", "RegexReplace" -> !flows.of(node.getInput(1)).isEmpty();
            // pictures of another number of channels
            case "AdjustContrastv2", "AdjustHue", "AdjustSaturation", "HSVToRGB", "RGBToHSV" -> !saysItsLast(input);
            default ->
                DIVIDING.contains(node.getOp()) ? !OF_FRACTIONS.contains(input.dtype()) : OpKinds.alwaysMayFail(node);
        };
    }

    private static boolean saysItsLast(ElementComponent type) {
        return type.rankKnown()
                && !type.shape().isEmpty()
                && type.shape().get(type.shape().size() - 1) >= 0;
    }

    private static boolean isEnsured(NodeDef node, ElementComponent input) {
        List<TensorShapeProto.Dim> wanted =
                node.getAttrOrThrow("shape").getShape().getDimList();
        boolean ensured = input.rankKnown() && wanted.size() == input.shape().size();
        for (int i = 0; ensured && i < wanted.size(); i++) {
            ensured = wanted.get(i).getSize() < 0
                    || wanted.get(i).getSize() == input.shape().get(i);
        }
        return ensured || node.getAttrOrThrow("shape").getShape().getUnknownRank();
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
