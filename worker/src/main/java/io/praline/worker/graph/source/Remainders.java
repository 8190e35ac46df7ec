package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Elements that do not fill a batch and are left out, where more than how many there are decides how many these are. What several
 * tasks leave over one task reads again, and leaves out what one process does, as long as that is what does not fill the last
 * batch. Where it is what does not fill the last batch of each group, or a batch whose size follows from its place, it leaves out
 * others, and more or fewer.
 */
final class Remainders {
    private static final String OF_EACH_GROUP = " leaves out what does not fill a batch of each group";
    private static final String BY_PLACE = " leaves out what does not fill a batch, whose size depends on its place";

    /** Why how many elements a node leaves out depends on where groups or batches end; empty where it does not. */
    static Optional<String> leftOut(NodeDef node, BatchLevels levels) {
        return switch (OpTraits.of(node).family()) {
            case REBATCH ->
                Optional.of(BY_PLACE)
                        .filter(why -> drops(node, levels.scope())
                                && DatasetOps.wholeSize(node, levels.scope()).isEmpty());
            case GROUP -> {
                BatchLevels.InGroup group = levels.inGroup(node);
                yield Optional.of(OF_EACH_GROUP)
                        .filter(why ->
                                new Remainders(node, levels, group.levels().scope()).leftOutOf(group.dataset()));
            }
            default -> Optional.empty();
        };
    }

    private final NodeDef group;
    private final BatchLevels levels;
    private final Scope body;

    private Remainders(NodeDef group, BatchLevels levels, Scope body) {
        this.group = group;
        this.levels = levels;
        this.body = body;
    }

    private static boolean drops(NodeDef node, Scope scope) {
        return DatasetOps.dropsRemainder(node, scope).orElse(false);
    }

    /** Whether any step on the way to a dataset leaves something out of a group that is full. */
    private boolean leftOutOf(String ref) {
        Optional<NodeDef> step = body.producer(body.behindIdentities(ref)).filter(DatasetOps::isDataset);
        return step.isPresent()
                && ((OpTraits.of(step.get()).makesBatches() && drops(step.get(), body) && !fillsAll(step.get()))
                        || BatchUse.datasetsOf(step.get()).anyMatch(this::leftOutOf));
    }

    /** Whether a full group makes whole batches and nothing else. */
    private boolean fillsAll(NodeDef batch) {
        if (!OpTraits.of(batch).isBatch() || !isTheGroup(batch.getInput(0))) {
            return false;
        }
        Optional<Long> size = DatasetOps.batchSize(batch, body);
        Optional<Long> full = levels.windowSize(group);
        if (size.isPresent() && full.isPresent()) {
            return size.get() > 0 && full.get() % size.get() == 0;
        }
        Optional<String> asked = asked(batch);
        return asked.isPresent() && asked.equals(askedOfTheGroup());
    }

    /** Whether a dataset has the elements of the group, one for one. */
    private boolean isTheGroup(String ref) {
        Optional<NodeDef> step = body.producer(body.behindIdentities(ref));
        return step.isEmpty()
                || switch (OpTraits.of(step.get()).family()) {
                    case MAP, SHUFFLE, CACHE, ASSERT -> isTheGroup(step.get().getInput(0));
                    case TRANSPARENT ->
                        OpTraits.of(step.get()).drops() == OpTraits.Drops.NOTHING
                                && isTheGroup(step.get().getInput(0));
                    default -> false;
                };
    }

    /** How the size of a batch is computed from the group's key, in words that are the same for the same computation. */
    private Optional<String> asked(NodeDef batch) {
        return OpTraits.of(batch)
                .input(batch, OpTraits.Input.SIZE)
                .flatMap(size -> computed(size, body, given("reduce_func", "key_func")));
    }

    private Optional<String> askedOfTheGroup() {
        FunctionDef sized = called("window_size_func");
        String result = sized.getSignature().getOutputArg(0).getName();
        return computed(
                sized.getRetOrThrow(result),
                Scope.ofFunction(sized),
                given("window_size_func", "key_func", "reduce_func"));
    }

    /** What one of the group's functions is given, by the names of its arguments: the key, and what it captures. */
    private Map<String, String> given(String function, String... before) {
        List<OpDef.ArgDef> arguments = called(function).getSignature().getInputArgList();
        Map<String, String> given = new HashMap<>();
        given.put(arguments.get(0).getName(), "key");
        int at = 1 + Stream.of(before).mapToInt(this::captured).sum();
        int captured = captured(function);
        for (int i = 0; i < captured; i++) {
            String ref = group.getInput(at + i);
            given.put(
                    arguments.get(arguments.size() - captured + i).getName(),
                    Constants.value(levels.scope(), ref).map(Object::toString).orElse("of " + ref));
        }
        return given;
    }

    private int captured(String function) {
        return group.getAttrOrDefault("T" + function + "_other_arguments", AttrValue.getDefaultInstance())
                .getList()
                .getTypeCount();
    }

    private FunctionDef called(String key) {
        return levels.pipeline()
                .functions()
                .get(group.getAttrOrThrow(key).getFunc().getName());
    }

    /** Empty where anything on the way is more than a function of its inputs. */
    private Optional<String> computed(String ref, Scope scope, Map<String, String> given) {
        String at = scope.behindIdentities(ref);
        Optional<NodeDef> node = scope.producer(at);
        if (node.isEmpty()) {
            return Optional.ofNullable(given.get(at));
        }
        if (OpTraits.of(node.get()).family() != OpTraits.Family.PURE
                || PipelineGraph.functionsOf(node.get())
                        .anyMatch(levels.pipeline().functions()::containsKey)) {
            return Optional.empty();
        }
        StringBuilder words = new StringBuilder(node.get().getOp());
        new TreeMap<>(node.get().getAttrMap()).forEach((key, value) -> {
            if (!key.startsWith("_")) {
                words.append(' ').append(key).append(value);
            }
        });
        for (String input : node.get().getInputList()) {
            Optional<String> before = input.startsWith("^") ? Optional.of("") : computed(input, scope, given);
            if (before.isEmpty()) {
                return before;
            }
            words.append('(').append(before.get()).append(')');
        }
        return Optional.of(words.append(at.substring(Scope.nodeOf(at).length())).toString());
    }
}
