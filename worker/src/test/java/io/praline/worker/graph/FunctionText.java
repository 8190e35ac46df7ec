package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Functions as text, and back. A line is a node, {@code s = Mul x 0.5}, with attributes where they do not follow from what it is
 * given, {@code z = Cast s DstT=float16}; the last one says what is returned, {@code -> z y}. What a node waits for has a
 * {@code ^} in front, and an output that is not the first its place, {@code parts:1}.
 */
public final class FunctionText {
    private final Map<String, String> left = new LinkedHashMap<>();
    private final Map<String, NodeDef> written = new HashMap<>();
    private final Map<String, DataType> types = new HashMap<>();
    private final FunctionDef.Builder function = FunctionDef.newBuilder();
    private final Map<String, FunctionDef> library;

    private FunctionText(Map<String, FunctionDef> library) {
        this.library = library;
    }

    /**
     * As it is written.
     *
     * @param arguments types by their names, in order
     * @param library functions that it may call
     */
    public static FunctionDef of(
            String name, Map<String, DataType> arguments, Map<String, FunctionDef> library, String... lines) {
        FunctionText text = new FunctionText(library);
        OpDef.Builder signature = text.function.getSignatureBuilder().setName(name);
        arguments.forEach((argument, type) -> {
            signature.addInputArg(Protos.arg(argument, type));
            text.types.put(argument, type);
        });
        Stream.of(lines).forEach(line -> text.left.put(line.split(" ", -1)[0], line));
        List<String> order = List.copyOf(text.left.keySet());
        order.forEach(text::read);
        List<NodeDef> nodes = text.function.getNodeDefList().stream()
                .sorted(Comparator.comparing(node -> order.indexOf(node.getName())))
                .toList();
        return text.function.clearNodeDef().addAllNodeDef(nodes).build();
    }

    /** A line behind those that it is told of, which may stand below it. */
    private void read(String node) {
        String line = left.remove(node);
        if (line == null) {
            return;
        }
        Stream.of(line.split(" ", -1))
                .skip(1)
                .forEach(word -> read(word.replaceFirst("^\\^", "").replaceFirst(":.*", "")));
        if (node.equals("->")) {
            returns(line.substring(3));
        } else {
            node(line);
        }
    }

    private void returns(String refs) {
        int place = 0;
        for (String each : refs.split(" ", -1)) {
            String result = "result_" + place++;
            String ref = ref(each);
            function.putRet(result, ref).getSignatureBuilder().addOutputArg(Protos.arg(result, types.get(ref)));
        }
    }

    private void node(String line) {
        String[] words = line.split(" ", -1);
        NodeDef.Builder node = Protos.node(words[0], words[2]);
        List<String> waits = new ArrayList<>();
        for (String word : List.of(words).subList(3, words.length)) {
            if (word.startsWith("^")) {
                waits.add(word);
            } else if (word.matches("\\w+=.*") && !word.startsWith("'")) {
                node.putAttr(word.substring(0, word.indexOf('=')), attribute(word.substring(word.indexOf('=') + 1)));
            } else {
                node.addInput(ref(word));
            }
        }
        OpDef op = declared(words[2]);
        say(op, node);
        List<DataType> given = DeclaredOps.types(op.getOutputArgList(), node.build());
        int place = 0;
        for (OpDef.ArgDef argument : op.getOutputArgList()) {
            boolean all = op.getOutputArgCount() == 1;
            for (int i = 0; i < (all ? given.size() : 1); i++) {
                types.put(words[0] + ":" + argument.getName() + ":" + i, given.get(place++));
            }
        }
        function.addNodeDef(node.addAllInput(waits));
        written.put(words[0], node.build());
    }

    private OpDef declared(String op) {
        return library.containsKey(op) ? library.get(op).getSignature() : new DeclaredOps().op(op);
    }

    /** The attributes that follow from what it is given. */
    private void say(OpDef op, NodeDef.Builder node) {
        int place = 0;
        for (OpDef.ArgDef argument : op.getInputArgList()) {
            boolean several = !argument.getNumberAttr().isEmpty()
                    || !argument.getTypeListAttr().isEmpty();
            int count = several ? node.getInputCount() - op.getInputArgCount() + 1 : 1;
            List<DataType> given = node.getInputList().subList(place, place + count).stream()
                    .map(types::get)
                    .toList();
            place += count;
            if (!argument.getTypeListAttr().isEmpty()) {
                node.putAttr(argument.getTypeListAttr(), Protos.types(given));
            } else if (!argument.getTypeAttr().isEmpty()) {
                node.putAttr(argument.getTypeAttr(), Protos.type(given.get(0)));
            }
            if (!argument.getNumberAttr().isEmpty()) {
                node.putAttr(argument.getNumberAttr(), Protos.number(count));
            }
        }
    }

    private static AttrValue attribute(String said) {
        Optional<DataType> type = DeclaredOps.type(said);
        if (type.isPresent()) {
            return Protos.type(type.get());
        }
        if (said.startsWith("@")) {
            return Protos.function(said.substring(1));
        }
        if (said.startsWith("{@")) {
            AttrValue.Builder branches = AttrValue.newBuilder();
            for (String each : said.substring(1, said.length() - 1).split(",", -1)) {
                branches.getListBuilder().addFunc(NameAttrList.newBuilder().setName(each.substring(1)));
            }
            return branches.build();
        }
        if (said.startsWith("{<")) {
            AttrValue.Builder shapes = AttrValue.newBuilder();
            for (String each : said.substring(1, said.length() - 1).split("(?<=>),", -1)) {
                shapes.getListBuilder().addShape(Protos.shape(numbers(each)));
            }
            return shapes.build();
        }
        if (said.startsWith("{")) {
            return Protos.types(Stream.of(said.substring(1, said.length() - 1).split(",", -1))
                    .map(each -> DeclaredOps.type(each).orElseThrow())
                    .toList());
        }
        if (said.startsWith("<")) {
            return AttrValue.newBuilder().setShape(Protos.shape(numbers(said))).build();
        }
        if (said.startsWith("[")) {
            AttrValue.Builder list = AttrValue.newBuilder();
            list.getListBuilder().addAllI(numbers(said));
            return list.build();
        }
        if (said.matches("-?\\d+")) {
            return Protos.number(Long.parseLong(said));
        }
        return said.equals("true") || said.equals("false")
                ? Protos.bool(Boolean.parseBoolean(said))
                : Protos.string(said);
    }

    /** What stands between the first sign and the last. */
    public static List<Long> numbers(String list) {
        return list.length() < 3
                ? List.of()
                : Stream.of(list.substring(1, list.length() - 1).split(",", -1))
                        .map(Long::valueOf)
                        .toList();
    }

    private String ref(String word) {
        String node = word.replaceFirst(":.*", "");
        if (types.containsKey(word)) {
            return word;
        }
        if (written.containsKey(node)) {
            String place = word.contains(":") ? word.substring(word.indexOf(':') + 1) : "0";
            OpDef op = declared(written.get(node).getOp());
            return node + ":" + op.getOutputArg(0).getName() + ":" + place;
        }
        String name = "c" + function.getNodeDefCount();
        TensorProto value = literal(word);
        function.addNodeDef(Protos.constant(name, value));
        types.put(name + ":output:0", value.getDtype());
        return name + ":output:0";
    }

    /** {@code 2}, {@code 2L}, {@code 0.5}, {@code true}, {@code 'text'}, or a list of numbers, {@code [1,2]}. */
    static TensorProto literal(String word) {
        if (word.startsWith("[") && !word.contains(".")) {
            return Protos.int32s(numbers(word).stream().map(Math::toIntExact).toArray(Integer[]::new));
        }
        if (word.startsWith("[")) {
            TensorProto.Builder list = TensorProto.newBuilder().setDtype(DataType.DT_FLOAT);
            Stream.of(word.substring(1, word.length() - 1).split(",", -1))
                    .map(Float::valueOf)
                    .forEach(list::addFloatVal);
            return list.setTensorShape(Protos.shape((long) list.getFloatValCount()))
                    .build();
        }
        if (word.startsWith("'")) {
            return Protos.bytes(ByteString.copyFromUtf8(word.substring(1, word.length() - 1)));
        }
        if (word.equals("true") || word.equals("false")) {
            return Protos.flag(Boolean.parseBoolean(word));
        }
        if (word.endsWith("L")) {
            return Protos.int64(Long.parseLong(word.substring(0, word.length() - 1)));
        }
        return word.contains(".") ? Protos.float32(Float.parseFloat(word)) : Protos.int32(Integer.parseInt(word));
    }

    /**
     * What a function returns, calculated as it says, whatever nodes are called; behind it what must run besides.
     *
     * @param names of its arguments, in order
     */
    public static String shown(FunctionDef function, List<String> names) {
        Map<String, String> arguments = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            arguments.put(function.getSignature().getInputArg(i).getName(), names.get(i));
        }
        Scope scope = Scope.ofFunction(function);
        String results = function.getSignature().getOutputArgList().stream()
                .map(result -> shown(function.getRetOrThrow(result.getName()), arguments, scope))
                .collect(Collectors.joining(", "));
        String kept = function.getControlRetMap().values().stream()
                .map(node -> ", ^" + shown(node, arguments, scope))
                .sorted()
                .collect(Collectors.joining());
        return results + kept;
    }

    private static String shown(String ref, Map<String, String> arguments, Scope scope) {
        Optional<NodeDef> node = scope.producer(ref);
        if (node.isEmpty()) {
            return arguments.getOrDefault(ref, "?" + ref);
        }
        if (node.get().getOp().equals("Const")) {
            return shown(node.get().getAttrOrThrow("value").getTensor());
        }
        String inputs = node.get().getInputList().stream()
                .map(input -> input.startsWith("^") ? input : shown(input, arguments, scope))
                .collect(Collectors.joining(", ", "(", ")"));
        String place = ref.matches(".*:[1-9]") ? "[" + ref.charAt(ref.length() - 1) + "]" : "";
        return node.get().getOp() + said(node.get()) + inputs + place;
    }

    /** Values of a constant; of one of several dimensions, whose values are all alike, the sizes. */
    public static String shown(TensorProto value) {
        List<Long> sizes = value.getTensorShape().getDimList().stream()
                .map(TensorShapeProto.Dim::getSize)
                .toList();
        List<?> values =
                switch (value.getDtype()) {
                    case DT_STRING -> Constants.strings(value);
                    case DT_BOOL -> value.getBoolValList();
                    case DT_FLOAT -> value.getFloatValList();
                    case DT_UINT64 -> value.getUint64ValList();
                    default -> Constants.integers(value);
                };
        return sizes.isEmpty() && !values.isEmpty()
                ? values.get(0).toString()
                : sizes.size() == 1 ? values.toString().replace(" ", "") : "of " + sizes;
    }

    private static String sizes(TensorShapeProto shape) {
        return shape.getUnknownRank()
                ? "?"
                : shape.getDimList().stream()
                        .map(TensorShapeProto.Dim::getSize)
                        .toList()
                        .toString()
                        .replace(" ", "");
    }

    /** Whether it is a choice between functions: of others the sizes follow from what they are given. */
    private static boolean chooses(NodeDef node) {
        return node.containsAttr("then_branch") || node.containsAttr("branches");
    }

    /** The attributes that do not follow from what it is given: types that it gives, shapes, numbers other than 0. */
    private static String said(NodeDef node) {
        Map<String, String> said = new TreeMap<>();
        node.getAttrMap().forEach((key, value) -> {
            if (key.startsWith("_") || key.equals("metadata")) {
                return;
            }
            if (List.of("DstT", "out_type", "dtype", "output_type").contains(key)) {
                said.put("", word(value.getType()));
            } else if (value.getI() != 0 && !key.equals("N") && !key.startsWith("num")) {
                said.put(key, Long.toString(value.getI()));
            } else if (value.getList().getICount() > 0) {
                said.put(key, value.getList().getIList().toString().replace(" ", ""));
            } else if (value.hasShape()) {
                said.put(key, sizes(value.getShape()));
            } else if (value.getList().getShapeCount() > 0 && chooses(node)) {
                said.put(
                        key,
                        value.getList().getShapeList().stream()
                                .map(FunctionText::sizes)
                                .collect(Collectors.joining()));
            } else if (value.hasFunc()) {
                said.put(key, value.getFunc().getName());
            } else if (!value.getS().isEmpty()) {
                said.put(key, value.getS().toStringUtf8());
            }
        });
        return said.isEmpty()
                ? ""
                : said.entrySet().stream()
                        .map(each -> each.getKey() + (each.getKey().isEmpty() ? "" : "=") + each.getValue())
                        .collect(Collectors.joining(" ", "<", ">"));
    }

    static String word(DataType type) {
        return new ElementComponent(type, false, List.of()).dtypeName();
    }
}
