package io.praline.worker.graph.ordering.step;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.ordering.function.Body;
import io.praline.worker.graph.ordering.function.Flows;
import io.praline.worker.graph.ordering.function.Flows.From;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import io.praline.worker.graph.ordering.function.Literals;
import io.praline.worker.graph.ordering.function.Magnitude;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** An op as rules read it: its types, its attributes, and its operands but for the element's values. */
public record OpSettings(
        Body body, Flows flows, Map<String, ElementComponent> types, Map<String, NodeDef> captured, OpInference ops) {
    private static final Set<DataType> FLOATING =
            Set.of(DataType.DT_HALF, DataType.DT_BFLOAT16, DataType.DT_FLOAT, DataType.DT_DOUBLE);

    public StepOp of(NodeDef node) {
        OpDef declared = ops.op(node.getOp());
        Map<String, String> settings = new TreeMap<>();
        node.getAttrMap().forEach((key, value) -> {
            if (!key.startsWith("_")) {
                text(value).ifPresent(said -> settings.put(key, said));
            }
        });
        List<String> inputs = new ArrayList<>();
        Set<String> fractions = new HashSet<>();
        int place = 0;
        for (OpDef.ArgDef argument : declared.getInputArgList()) {
            for (int i = 0; i < FunctionTypes.count(argument, node); i++) {
                inputs.add(word(type(argument, node, i)));
                operand(node, argument, place, settings);
                String ref = node.getInput(place);
                if (FLOATING.contains(type(argument, node, i)) && flows.of(ref).contains(From.VALUES)) {
                    fractions.add(ref);
                }
                place++;
            }
        }
        if (fractions.size() > 1
                && OpKinds.of(node).filter(StepKind.ELEMENTWISE::equals).isPresent()) {
            // both may be none: which of them comes out is not the same one by one
            settings.put(SettingWords.NOT_A_NUMBER, SettingWords.TRUE);
        }
        List<String> outputs = new ArrayList<>();
        for (OpDef.ArgDef argument : declared.getOutputArgList()) {
            for (int i = 0; i < FunctionTypes.count(argument, node); i++) {
                outputs.add(word(type(argument, node, i)));
            }
        }
        return new StepOp(node.getOp(), inputs, outputs, settings);
    }

    private void operand(NodeDef node, OpDef.ArgDef argument, int place, Map<String, String> settings) {
        String ref = node.getInput(place);
        Set<From> from = flows.of(ref);
        if (from.contains(From.VALUES)) {
            return;
        }
        Optional<NodeDef> producer = body.producer(ref);
        Optional<List<Number>> literal = Literals.of(producer);
        Optional<String> value =
                literal.map(numbers -> numbers.stream().map(String::valueOf).collect(Collectors.joining(",")));
        boolean select = OpKinds.SELECTS.contains(node.getOp());
        if (place == 0 && (select || Flows.CHOICES.contains(node.getOp()))) {
            settings.put(SettingWords.CONDITION, origin(from));
            if (select) {
                settings.put(SettingWords.OPERAND, condition(node, ref, producer));
                if (stretches(node, extended(ref, producer))) {
                    settings.put(SettingWords.STRETCHES, SettingWords.TRUE);
                }
            }
            return;
        }
        if (OpKinds.of(node).filter(StepKind.ELEMENTWISE::equals).isEmpty()) {
            settings.put(argument.getName(), value.orElse(origin(from)));
            return;
        }
        boolean several = settings.containsKey(SettingWords.OPERAND);
        settings.merge(
                SettingWords.OPERAND,
                from.contains(From.DRAWS)
                        ? SettingWords.DRAWN
                        : from.contains(From.SHAPES) ? SettingWords.SHAPE : extent(node, ref, producer),
                OpSettings::together);
        settings.put(SettingWords.OPERAND_AT, Integer.toString(place));
        value.filter(said -> !several && !said.contains(",") && !said.isEmpty())
                .ifPresentOrElse(
                        said -> settings.put(SettingWords.VALUE, said), () -> settings.remove(SettingWords.VALUE));
        Optional<Magnitude> magnitude = Magnitude.of(ref, body, captured);
        magnitude.ifPresent(known -> {
            settings.merge(SettingWords.LARGEST, Double.toString(known.largest()), OpSettings::larger);
            settings.merge(SettingWords.SMALLEST, Double.toString(known.smallest()), OpSettings::smaller);
        });
        literal.filter(numbers -> OpKinds.CLIPS.contains(node.getOp()))
                .ifPresent(bounds -> bounds.forEach(bound -> {
                    settings.merge(SettingWords.LOWEST, Double.toString(bound.doubleValue()), OpSettings::smaller);
                    settings.merge(SettingWords.HIGHEST, Double.toString(bound.doubleValue()), OpSettings::larger);
                }));
        if (magnitude.isEmpty() && FLOATING.contains(type(argument, node, place))) {
            settings.put(SettingWords.NOT_A_NUMBER, SettingWords.TRUE);
        }
        if (stretches(node, extended(ref, producer))) {
            settings.put(SettingWords.STRETCHES, SettingWords.TRUE);
        }
    }

    private static String larger(String one, String other) {
        return Double.parseDouble(one) >= Double.parseDouble(other) ? one : other;
    }

    private static String smaller(String one, String other) {
        return Double.parseDouble(one) <= Double.parseDouble(other) ? one : other;
    }

    /** How far a condition reaches: the older of both ops takes one of whole rows too, which is along no last dimension. */
    private String condition(NodeDef node, String ref, Optional<NodeDef> producer) {
        String extent = extent(node, ref, producer);
        return node.getOp().equals("Select") && !extent.equals(SettingWords.SCALAR) ? SettingWords.TENSOR : extent;
    }

    /** What several operands are, of which one hangs on its place where any does. */
    private static String together(String one, String other) {
        if (one.equals(other) || other.equals(SettingWords.SCALAR)) {
            return one;
        }
        return one.equals(SettingWords.SCALAR) ? other : SettingWords.TENSOR;
    }

    private static String origin(Set<From> from) {
        if (from.contains(From.DRAWS)) {
            return SettingWords.DRAWN;
        }
        if (from.contains(From.SHAPES)) {
            return SettingWords.SHAPE;
        }
        return from.contains(From.CAPTURED) ? SettingWords.CAPTURED : SettingWords.CONSTANT;
    }

    private Optional<List<Long>> extended(String ref, Optional<NodeDef> producer) {
        return producer.filter(node -> node.getOp().equals("Const"))
                .map(node -> Literals.shape(node.getAttrOrThrow("value").getTensor()))
                .or(() -> Optional.ofNullable(types.get(ref))
                        .filter(ElementComponent::isStatic)
                        .map(ElementComponent::shape));
    }

    /** A vector of one value stretches over every vector that it meets; of a single value it would make a vector. */
    private boolean stretches(NodeDef reader, Optional<List<Long>> shape) {
        return shape.equals(Optional.of(List.of(1L)))
                && reader.getInputList().stream()
                        .filter(input -> flows.of(input).contains(From.VALUES))
                        .allMatch(input -> types.containsKey(input)
                                && !types.get(input).shape().isEmpty());
    }

    private String extent(NodeDef reader, String ref, Optional<NodeDef> producer) {
        Optional<List<Long>> shape = extended(ref, producer);
        if (shape.isEmpty()) {
            return SettingWords.TENSOR;
        }
        if (stretches(reader, shape)) {
            return SettingWords.SCALAR;
        }
        return switch (shape.get().size()) {
            case 0 -> SettingWords.SCALAR;
            case 1 -> SettingWords.VECTOR + shape.get().get(0);
            default -> SettingWords.TENSOR;
        };
    }

    public static DataType type(OpDef.ArgDef argument, NodeDef node, int place) {
        if (!argument.getTypeAttr().isEmpty()) {
            return node.getAttrOrThrow(argument.getTypeAttr()).getType();
        }
        if (!argument.getTypeListAttr().isEmpty()) {
            return node.getAttrOrThrow(argument.getTypeListAttr()).getList().getType(place);
        }
        return argument.getType();
    }

    private static String word(DataType type) {
        return new ElementComponent(type, false, List.of()).dtypeName();
    }

    private static Optional<String> text(AttrValue value) {
        return switch (value.getValueCase()) {
            case B -> Optional.of(Boolean.toString(value.getB()));
            case I -> Optional.of(Long.toString(value.getI()));
            case F -> Optional.of(Float.toString(value.getF()));
            case S -> Optional.of(value.getS().toStringUtf8());
            case LIST ->
                value.getList().getICount() == 0
                        ? Optional.empty()
                        : Optional.of(value.getList().getIList().stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(",")));
            default -> Optional.empty();
        };
    }
}
