package io.praline.worker.graph.ordering.step;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.ordering.function.Flows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What a step does, in a word. */
public final class StepWords {
    /** The first that is found names the step. */
    private static final Map<String, String> WORDS = new LinkedHashMap<>();

    static {
        WORDS.put("Parse.*", "parse");
        WORDS.put("Decode(Padded)?Raw", "decode_raw");
        WORDS.put("Decode(AndCrop)?(Jpeg|Png|Image|Gif|Bmp|WebP|Wav)", "decode");
        WORDS.put("ReadFile", "read_file");
        WORDS.put("Resize.*|ScaleAndTranslate", "resize");
        WORDS.put("ImageProjectiveTransform.*", "transform");
        WORDS.put("(Mirror)?Pad(V2)?", "pad");
        WORDS.put("MatMul|BatchMatMul.*|AdjustHue|AdjustSaturation|RGBToHSV", "colour");
        WORDS.put("AdjustContrastv2", "contrast");
        WORDS.put("LookupTable.*", "lookup");
        WORDS.put("(Stateless)?While", "loop");
        WORDS.put("ReverseV2", "flip");
        WORDS.put("Slice", "crop");
    }

    private StepWords() {}

    public static String of(List<NodeDef> nodes, Map<String, FunctionDef> functions) {
        List<NodeDef> all = new ArrayList<>(nodes);
        PipelineGraph.reachedFunctions(nodes, functions)
                .forEach(name -> all.addAll(functions.get(name).getNodeDefList()));
        for (Map.Entry<String, String> word : WORDS.entrySet()) {
            if (all.stream().anyMatch(node -> node.getOp().matches(word.getKey()))) {
                return word.getValue();
            }
        }
        List<String> ops = nodes.stream()
                .map(NodeDef::getOp)
                .filter(op -> !Flows.SHAPES.contains(op) && OpTraits.of(op).family() == OpTraits.Family.PURE)
                .toList();
        if (ops.size() > 1 && OpKinds.AFFINE.containsAll(ops)) {
            return "affine";
        }
        if (!ops.isEmpty() && OpKinds.CLIPS.containsAll(ops)) {
            return "clip";
        }
        List<String> telling =
                ops.stream().filter(op -> !OpKinds.NEUTRAL.contains(op)).toList();
        List<String> last = telling.isEmpty() ? ops : telling;
        return last.isEmpty() ? "rest" : snake(last.get(last.size() - 1));
    }

    private static String snake(String op) {
        Map<String, String> said =
                Map.of("AddV2", "add", "RealDiv", "div", "StridedSlice", "slice", "GatherV2", "gather");
        String plain = op.replaceAll("V\\d+$", "").replaceAll("([a-z0-9])([A-Z])", "$1_$2");
        return said.getOrDefault(op, plain.toLowerCase(Locale.ROOT));
    }
}
