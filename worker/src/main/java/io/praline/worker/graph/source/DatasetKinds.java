package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * What a dataset is by itself, of several that meet: data, a counter, one element again and again, or chance.
 *
 * @param scope of the pipeline, or of one of its functions
 */
public record DatasetKinds(PipelineGraph pipeline, Scope scope) {

    /** Whether a dataset repeats one element. */
    boolean isConstant(String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        return node.getOp().equals("TensorDataset")
                || (OpTraits.of(node).family() == OpTraits.Family.REPEAT && isConstant(node.getInput(0)));
    }

    /** Whether a dataset is made of one element, again and again or once. */
    boolean isOne(String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        return switch (OpTraits.of(node).family()) {
            case MAP, TRANSPARENT, CACHE, SNAPSHOT, ASSERT, REPEAT -> isOne(node.getInput(0));
            default -> node.getOp().equals("Identity") ? isOne(node.getInput(0)) : isConstant(ref);
        };
    }

    /**
     * Whether a dataset is nothing but random numbers that the user did not seed: not where something counts them, or of each
     * several elements are made, of which one may tell its place among them.
     */
    boolean isChance(String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        return switch (OpTraits.of(node).family()) {
            case RANDOM -> DatasetOps.isUnseeded(node, scope);
            case MAP,
                    FILTER,
                    PARSE,
                    BATCH,
                    PADDED_BATCH,
                    SPARSE_BATCH,
                    SHUFFLE,
                    CACHE,
                    TRANSPARENT,
                    ASSERT,
                    REPEAT,
                    ZIP,
                    CONCATENATE,
                    CHOOSE -> !pipeline.remembers(node) && datasetInputs(node).allMatch(this::isChance);
            default -> node.getOp().equals("Identity") && isChance(node.getInput(0));
        };
    }

    /** How much a dataset looks like data: 3 files, 2 a constant, 1 a range, 0 a counter or chance. */
    int weight(String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        OpTraits traits = OpTraits.of(node);
        if (traits.isReader()
                || FileList.at(ref, scope).filter(FileList::declared).isPresent()) {
            return 3;
        }
        if (traits.family() == OpTraits.Family.SLICES) {
            return 2;
        }
        if (traits.family() == OpTraits.Family.RANGE) {
            return isCounter(node) || endless(ref) ? 0 : 1;
        }
        return datasetInputs(node).mapToInt(this::weight).max().orElse(0);
    }

    /** Whether a dataset never ends, as far as that can be told: of one that a function is given it cannot. */
    public boolean endless(String ref) {
        Optional<NodeDef> made = scope.producer(scope.behindIdentities(ref));
        if (made.isEmpty()) {
            return false;
        }
        NodeDef node = made.get();
        OpTraits traits = OpTraits.of(node);
        return switch (traits.family()) {
            case RANDOM -> true;
            // one that every split begins anew may end, as what says which of several datasets is next
            case RANGE ->
                number(node, 1).filter(until -> until == Long.MAX_VALUE).isPresent();
            case REPEAT -> number(node, 1).filter(count -> count < 0).isPresent();
            case INTERLEAVE -> endless(node.getInput(0)) || opensEndless(node);
            case SCAN, WINDOW -> endless(node.getInput(0));
            case CONCATENATE -> BatchUse.datasetsOf(node).anyMatch(this::endless);
            // one dataset or another
            case CALL -> PipelineGraph.functionsOf(node).anyMatch(called -> givesEndless(called, 0));
            default ->
                DatasetOps.isDataset(node)
                        && !traits.position()
                        && BatchUse.datasetsOf(node).findAny().isPresent()
                        && BatchUse.datasetsOf(node).allMatch(this::endless);
        };
    }

    /**
     * Whether a step opens datasets that never end. One process takes turns among those that are open at a time; a task is never
     * done with the first of its splits.
     */
    boolean opensEndless(NodeDef interleave) {
        String name = called(interleave);
        return givesEndless(name, 0)
                || handedOn(name).stream().anyMatch(place -> holdsEndless(interleave.getInput(0), place));
    }

    private Optional<Long> number(NodeDef node, int input) {
        return input < node.getInputCount() ? Constants.integer(scope, node.getInput(input)) : Optional.empty();
    }

    private static String called(NodeDef step) {
        return step.getAttrOrDefault("f", AttrValue.getDefaultInstance())
                .getFunc()
                .getName();
    }

    /** Whether a result of a function is a dataset that never ends. */
    private boolean givesEndless(String name, int result) {
        FunctionDef function = pipeline.functions().get(name);
        return function != null
                && result < function.getSignature().getOutputArgCount()
                && new DatasetKinds(pipeline, Scope.ofFunction(function)).endless(Scope.result(function, result));
    }

    /** Which of its arguments a function gives back. */
    private OptionalInt handedOn(String name) {
        FunctionDef function = pipeline.functions().get(name);
        if (function == null) {
            return OptionalInt.empty();
        }
        String given = Scope.ofFunction(function).behindIdentities(Scope.result(function, 0));
        return IntStream.range(0, function.getSignature().getInputArgCount())
                .filter(i -> function.getSignature().getInputArg(i).getName().equals(given))
                .findFirst();
    }

    /** Whether a component of a dataset's elements is a dataset that never ends, which a map made. */
    private boolean holdsEndless(String ref, int component) {
        return scope.producer(scope.behindIdentities(ref))
                .filter(node -> switch (OpTraits.of(node).family()) {
                    case MAP -> givesEndless(called(node), component);
                    case TRANSPARENT, SHUFFLE, FILTER, REPEAT, CACHE -> holdsEndless(node.getInput(0), component);
                    default -> false;
                })
                .isPresent();
    }

    /** How many elements a constant is cut into; -1 where nobody can tell. */
    long rows(NodeDef slices) {
        long count = -1;
        for (String input : slices.getInputList()) {
            Optional<TensorProto> tensor = Constants.value(scope, input);
            if (tensor.isEmpty() || tensor.get().getTensorShape().getDimCount() == 0) {
                return -1;
            }
            count = tensor.get().getTensorShape().getDim(0).getSize();
        }
        return count;
    }

    static boolean isCounter(NodeDef range) {
        return range.getAttrOrDefault("replicate_on_split", AttrValue.getDefaultInstance())
                .getB();
    }

    Stream<String> datasetInputs(NodeDef node) {
        return node.getInputList().stream().filter(input -> !input.startsWith("^") && isDataset(input));
    }

    boolean isDataset(String ref) {
        return scope.producer(scope.behindIdentities(ref))
                .filter(DatasetOps::isDataset)
                .isPresent();
    }

    /**
     * Whether an element depends on how many came before it, by what is zipped to the data.
     *
     * @param above the dataset nodes that the zip's elements pass
     */
    boolean placesAreRead(NodeDef zip, List<String> inputs, int data, ComponentUse use, Iterable<NodeDef> above) {
        Set<Integer> places = new HashSet<>();
        int before = 0;
        for (int i = 0; i < inputs.size(); i++) {
            int components = scope.components(inputs.get(i)).size();
            if (i != data && !endless(inputs.get(i))) {
                return true;
            }
            for (int k = before; k < before + components; k++) {
                if (i != data && !isConstant(inputs.get(i)) && !isChance(inputs.get(i))) {
                    places.add(k);
                }
            }
            before += components;
        }
        return use.isRead(places, zip, above);
    }

    /** Whether a step that takes elements by their places takes all of them, as {@code take(-1)} and {@code skip(0)} do. */
    boolean takesEverything(NodeDef node) {
        Optional<Long> count = DatasetOps.number(node, OpTraits.Input.COUNT, scope);
        return switch (OpTraits.of(node).family()) {
            case TAKE -> count.filter(elements -> elements < 0).isPresent();
            case SKIP -> count.filter(elements -> elements == 0).isPresent();
            case SHARD -> count.filter(shards -> shards == 1).isPresent();
            default -> false;
        };
    }

    /** Whether a choice among datasets goes on until all of them are at their ends. */
    boolean takesAll(NodeDef choice) {
        return !choice.getAttrOrDefault("stop_on_empty_dataset", AttrValue.getDefaultInstance())
                        .getB()
                && endless(choice.getInput(0));
    }
}
