package io.praline.worker.graph.ordering;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.ordering.function.Flows;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * What choices between functions give, where they are given elements of other sizes than those that they were written for:
 * Python writes down beside each choice what its branches gave then, and TensorFlow believes it without a look at them.
 */
final class ChosenSizes {
    private static final String SAID = "output_shapes";

    private final FunctionTypes types;
    private final Map<String, FunctionDef> functions;

    /** @param functions get the branches that are changed on the way */
    ChosenSizes(FunctionTypes types, Map<String, FunctionDef> functions) {
        this.types = types;
        this.functions = functions;
    }

    /**
     * Under the same name. Who wrote it may know more of what it gives than follows from what it is given, so it stays as it is
     * where that has not changed.
     *
     * @param taken what it was written for, but for types
     * @param given what it is given now
     */
    FunctionDef of(
            FunctionDef function,
            List<ElementComponent> taken,
            List<ElementComponent> given,
            List<Optional<NodeDef>> captured) {
        boolean same = IntStream.range(0, given.size()).allMatch(i -> isAsLarge(given.get(i), taken.get(i)));
        return same ? function : sized(function, given, captured);
    }

    /** Whether all that was known of an element's sizes still holds. */
    private static boolean isAsLarge(ElementComponent given, ElementComponent taken) {
        return new ElementComponent(given.dtype(), taken.rankKnown(), taken.shape())
                .agreed(given)
                .equals(Optional.of(given));
    }

    private FunctionDef sized(FunctionDef function, List<ElementComponent> given, List<Optional<NodeDef>> captured) {
        FunctionDef.Builder sized = function.toBuilder();
        // a choice that reads another, wherever that stands, must not take from it what is said of it no longer
        sized.getNodeDefBuilderList().stream()
                .filter(node -> Flows.CHOICES.contains(node.getOp()))
                .forEach(node -> node.removeAttr(SAID));
        for (int at = 0; at < sized.getNodeDefCount(); at++) {
            if (Flows.CHOICES.contains(sized.getNodeDef(at).getOp())) {
                Map<String, ElementComponent> known = types.of(sized.build(), given, captured);
                sized.setNodeDef(at, chosen(sized.getNodeDef(at), known));
            }
        }
        return sized.build();
    }

    private NodeDef chosen(NodeDef choice, Map<String, ElementComponent> known) {
        List<ElementComponent> given =
                Scope.given(choice).skip(1).map(known::get).toList();
        Map<String, String> names = new HashMap<>();
        List<List<ElementComponent>> yielded = new ArrayList<>();
        for (String branch : StepReader.branches(choice)) {
            FunctionDef written = functions.get(branch);
            FunctionDef sized = sized(written, given, List.of());
            if (!sized.equals(written)) {
                String name = PipelineGraph.freshName(branch + "_sized", functions);
                FunctionDef.Builder renamed = sized.toBuilder();
                renamed.getSignatureBuilder().setName(name);
                functions.put(name, renamed.build());
                names.put(branch, name);
            }
            yielded.add(SectionOrder.results(sized, types.of(sized, given, List.of())));
        }
        AttrValue.Builder said = AttrValue.newBuilder();
        for (int i = 0; i < yielded.get(0).size(); i++) {
            int result = i;
            ElementComponent any = yielded.stream()
                    .map(branch -> branch.get(result))
                    .reduce(ChosenSizes::either)
                    .orElseThrow();
            said.getListBuilder().addShape(DatasetOps.shape(any));
        }
        NodeDef.Builder chosen = choice.toBuilder().putAttr(SAID, said.build());
        Retype.call(chosen, names);
        return chosen.build();
    }

    /** What is known of what is now this one and now that. */
    private static ElementComponent either(ElementComponent one, ElementComponent other) {
        boolean alike = one.rankKnown()
                && other.rankKnown()
                && one.shape().size() == other.shape().size();
        List<Long> sizes = alike
                ? IntStream.range(0, one.shape().size())
                        .mapToObj(i -> one.shape().get(i).equals(other.shape().get(i))
                                ? one.shape().get(i)
                                : Long.valueOf(-1))
                        .toList()
                : List.of();
        return new ElementComponent(one.dtype(), alike, sizes);
    }
}
