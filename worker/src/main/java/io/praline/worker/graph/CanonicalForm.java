package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * A pipeline as it is whatever process wrote it down. Nodes stand in the order of a walk from the root and are named by it;
 * functions are named by a hash of their own canonical form; what TensorFlow invents anew in each process (names, counters,
 * resources that stand for the state of a shuffle or a cache) is left out. What the user named stays.
 */
public final class CanonicalForm {
    /** Attributes that say where a node came from and not what it does. */
    private static final Set<String> LEFT_OUT = Set.of("_construction_context", "_user_specified_name", "_class");

    private final PipelineGraph pipeline;
    private final Map<String, String> functionNames = new HashMap<>();
    private final TreeMap<String, FunctionDef> functions = new TreeMap<>();
    private final Map<String, Map<String, String>> places = new HashMap<>();

    public CanonicalForm(PipelineGraph pipeline) {
        this.pipeline = pipeline;
    }

    /**
     * The names of nodes in the canonical form, by their own: those of the graph under the empty name, those of each function
     * under the function's. A node that no result needs has none.
     */
    public Map<String, Map<String, String>> places() {
        if (places.isEmpty()) {
            graph();
        }
        return places;
    }

    /** SHA-256 of it, in hex. */
    String digest() {
        return digest(graph());
    }

    GraphDef graph() {
        Walk walk = new Walk(pipeline.nodes(), Map.of());
        String root = walk.visit(pipeline.root());
        places.put("", walk.names);
        GraphDef.Builder graph = GraphDef.newBuilder();
        walk.done.values().forEach(graph::addNode);
        graph.addNode(Protos.node("result", "_Retval", root));
        graph.getLibraryBuilder().addAllFunction(functions.values());
        return graph.build();
    }

    public static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    /** Of a message as it is written down; constants may be as large as a data set, so no copy is made of it. */
    private static String digest(MessageLite message) {
        MessageDigest sha256 = sha256();
        CodedOutputStream out =
                CodedOutputStream.newInstance(new DigestOutputStream(OutputStream.nullOutputStream(), sha256));
        out.useDeterministicSerialization();
        try {
            message.writeTo(out);
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java runtime has SHA-256", missing);
        }
    }

    /** The name of a function by its content; ops of TensorFlow's own keep theirs. */
    private String functionName(String name) {
        FunctionDef function = pipeline.functions().get(name);
        if (function == null) {
            return name;
        }
        String known = functionNames.get(name);
        if (known != null) {
            return known;
        }
        functionNames.put(name, "recursive");
        FunctionDef canonical = canonical(function);
        String canonicalName = "f_" + digest(canonical).substring(0, 32);
        functionNames.put(name, canonicalName);
        FunctionDef.Builder named = canonical.toBuilder();
        named.getSignatureBuilder().setName(canonicalName);
        functions.put(canonicalName, named.build());
        return canonicalName;
    }

    private FunctionDef canonical(FunctionDef function) {
        FunctionDef.Builder canonical = FunctionDef.newBuilder();
        OpDef.Builder signature = canonical.getSignatureBuilder();
        signature.setIsStateful(function.getSignature().getIsStateful());
        Map<String, String> arguments = new HashMap<>();
        for (OpDef.ArgDef argument : function.getSignature().getInputArgList()) {
            String name = "a" + arguments.size();
            arguments.put(argument.getName(), name);
            signature.addInputArg(Protos.arg(name, argument.getType()));
        }
        Map<String, NodeDef> body = new LinkedHashMap<>();
        function.getNodeDefList().forEach(node -> body.put(node.getName(), node));
        Walk walk = new Walk(body, arguments);
        for (OpDef.ArgDef result : function.getSignature().getOutputArgList()) {
            String name = "r" + signature.getOutputArgCount();
            signature.addOutputArg(Protos.arg(name, result.getType()));
            canonical.putRet(name, walk.visit(function.getRetOrThrow(result.getName())));
        }
        for (String control : new TreeSet<>(function.getControlRetMap().values())) {
            String name = walk.visit("^" + control).substring(1);
            canonical.putControlRet(name, name);
            signature.addControlOutput(name);
        }
        walk.done.values().forEach(canonical::addNodeDef);
        places.put(function.getSignature().getName(), walk.names);
        function.getAttrMap().forEach((key, value) -> {
            if (!LEFT_OUT.contains(key)) {
                canonical.putAttr(key, canonical(value));
            }
        });
        return canonical.build();
    }

    private AttrValue canonical(AttrValue value) {
        if (value.hasFunc()) {
            return AttrValue.newBuilder().setFunc(canonical(value.getFunc())).build();
        }
        if (value.getList().getFuncCount() > 0) {
            AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
            value.getList().getFuncList().forEach(function -> list.addFunc(canonical(function)));
            return AttrValue.newBuilder().setList(list).build();
        }
        return value;
    }

    private NameAttrList canonical(NameAttrList function) {
        return function.toBuilder().setName(functionName(function.getName())).build();
    }

    /** The nodes of one level, from what is asked for back to what it needs. */
    private final class Walk {
        private final Map<String, NodeDef> nodes;
        private final Map<String, String> names;
        private final Map<String, NodeDef> done = new LinkedHashMap<>();

        Walk(Map<String, NodeDef> nodes, Map<String, String> arguments) {
            this.nodes = nodes;
            this.names = new HashMap<>(arguments);
        }

        /** The canonical name of an output; its node and all that it needs are written down. */
        String visit(String ref) {
            String name = Scope.nodeOf(ref);
            if (!names.containsKey(name)) {
                NodeDef node = nodes.get(name);
                if (node == null) {
                    throw new RefusedPipeline("the graph refers to a node that it does not hold: " + name);
                }
                NodeDef.Builder canonical = NodeDef.newBuilder().setOp(functionName(node.getOp()));
                int resource = OpTraits.of(node).inputs().getOrDefault(OpTraits.Input.RESOURCE, -1);
                for (int i = 0; i < node.getInputCount(); i++) {
                    canonical.addInput(i == resource ? "-" : visit(node.getInput(i)));
                }
                node.getAttrMap().forEach((key, value) -> attribute(node, key, value)
                        .ifPresent(kept -> canonical.putAttr(key, kept)));
                String canonicalName = "n" + done.size();
                names.put(name, canonicalName);
                done.put(canonicalName, canonical.setName(canonicalName).build());
            }
            String prefix = ref.startsWith("^") ? "^" : "";
            int colon = ref.indexOf(':');
            String output = colon < 0 ? "" : ref.substring(colon);
            return prefix + names.get(name) + (output.equals(":0") ? "" : output);
        }

        private Optional<AttrValue> attribute(NodeDef node, String key, AttrValue value) {
            if (LEFT_OUT.contains(key)) {
                return Optional.empty();
            }
            if (key.equals("metadata")) {
                return DatasetOps.userName(node).map(Protos::string);
            }
            // names of tables and of other resources hold a random number of the process that made them
            if (key.equals("shared_name")) {
                return Optional.of(AttrValue.newBuilder().setS(ByteString.EMPTY).build());
            }
            return Optional.of(canonical(value));
        }
    }
}
