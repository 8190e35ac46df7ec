package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** What an op is told besides its values: axes, sizes, attributes. */
record OpInputs(Scope body, NodeDef node) {

    /** What has the values of something, behind what gives them another shape. */
    String values(String ref) {
        String at = body.behindIdentities(ref);
        Optional<NodeDef> reshaped =
                body.producer(at).filter(each -> each.getOp().equals("Reshape"));
        return reshaped.map(each -> values(each.getInput(0))).orElse(at);
    }

    /** The numbers of an input that is a constant, or is computed of such. */
    Optional<List<Long>> numbers(int input) {
        String ref = node.getInput(input);
        return Constants.value(body, ref)
                .map(Constants::integers)
                .or(() -> new FoldedNumbers(body).of(ref))
                .filter(numbers -> !numbers.isEmpty());
    }

    /** The numbers of an input, those that are known, of one that is put together too; empty where not even how many they are is. */
    List<Optional<Long>> sizes(int input) {
        Optional<List<Long>> numbers = numbers(input);
        List<Optional<Long>> sizes = new ArrayList<>();
        if (numbers.isPresent()) {
            numbers.get().forEach(number -> sizes.add(Optional.of(number)));
            return sizes;
        }
        body.producer(body.behindIdentities(node.getInput(input)))
                .filter(pack -> pack.getOp().equals("Pack"))
                .ifPresent(pack -> Scope.given(pack).forEach(each -> sizes.add(Constants.integer(body, each))));
        return sizes;
    }

    /** What a number of an input is made of, where that is put together of several; else the input itself. */
    String packed(int input, int place) {
        return body.producer(body.behindIdentities(node.getInput(input)))
                .filter(pack -> pack.getOp().equals("Pack") && pack.getInputCount() > place)
                .map(pack -> pack.getInput(place))
                .orElse(node.getInput(input));
    }

    /** One of the numbers of an input, of one that is put together of lists too; empty where it is not known. */
    Optional<Long> number(int input, int place) {
        List<Optional<Long>> all = sizes(input);
        if (all.isEmpty() || all.stream().anyMatch(Optional::isEmpty)) {
            all = flat(values(node.getInput(input)));
        }
        return place < all.size() ? all.get(place) : Optional.empty();
    }

    /** The numbers of a tensor, one behind another; none where not even how many they are is known. */
    private List<Optional<Long>> flat(String ref) {
        Optional<List<Long>> numbers = Constants.value(body, ref).map(Constants::integers);
        if (numbers.isPresent()) {
            return numbers.get().stream().map(Optional::of).toList();
        }
        Optional<NodeDef> pack = body.producer(ref)
                .filter(each -> each.getOp().equals("Pack")
                        && each.getAttrOrDefault("axis", AttrValue.getDefaultInstance())
                                        .getI()
                                == 0);
        if (pack.isEmpty()) {
            return List.of();
        }
        List<List<Optional<Long>>> parts =
                Scope.given(pack.get()).map(each -> flat(values(each))).toList();
        // all have one shape; where none is known each is taken for a single number, as sizes are
        int length = Math.max(1, parts.stream().mapToInt(List::size).max().orElse(0));
        List<Optional<Long>> all = new ArrayList<>();
        parts.forEach(part -> all.addAll(part.isEmpty() ? Collections.nCopies(length, Optional.empty()) : part));
        return all;
    }

    /** What a constant input is. */
    Optional<TensorProto> constant(int input) {
        return Constants.value(body, node.getInput(input));
    }

    /** The op that makes an output. */
    Optional<String> op(String ref) {
        return body.producer(body.behindIdentities(ref)).map(NodeDef::getOp);
    }

    long attribute(String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance()).getI();
    }

    boolean flag(String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance()).getB();
    }
}
