package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/**
 * A constant list of strings as the start of a pipeline, with what is done to it before anything is made of one; of files, if
 * TensorFlow calls them so or something opens them.
 *
 * @param epochs how often the list is repeated; -1 for ever
 * @param declared whether TensorFlow itself calls them files
 * @param directory the folder within which relative ones are read, where there are such
 */
record FileList(
        List<String> names,
        List<FileStep> steps,
        boolean shuffled,
        long epochs,
        boolean declared,
        Optional<String> directory) {

    /** The list that a dataset is; empty where it is something else. */
    static Optional<FileList> at(String ref, Scope scope) {
        List<FileStep> steps = new ArrayList<>();
        boolean shuffled = false;
        long epochs = 1;
        Optional<NodeDef> next = scope.producer(ref);
        while (next.isPresent()) {
            NodeDef node = next.get();
            OpTraits traits = OpTraits.of(node);
            Optional<Long> count = DatasetOps.number(node, OpTraits.Input.COUNT, scope);
            Optional<Long> index = DatasetOps.number(node, OpTraits.Input.INDEX, scope);
            boolean passed = true;
            switch (traits.family()) {
                case SLICES -> {
                    Collections.reverse(steps);
                    return slices(node, scope, steps, shuffled, epochs);
                }
                case CONCATENATE -> {
                    Collections.reverse(steps);
                    return joined(node, scope, steps, shuffled, epochs);
                }
                case SHUFFLE -> {
                    shuffled = true;
                    if (!steps.isEmpty()) {
                        // what is taken of a shuffled list is a choice of files: the job's own order of splits comes
                        // too
                        // late for that
                        steps.add(shuffle(node, scope));
                    }
                }
                case REPEAT -> {
                    passed = count.filter(times -> times != 0).isPresent() && steps.isEmpty();
                    epochs = Sources.times(epochs, count.orElse(1L));
                }
                case TAKE ->
                    passed = count.map(each -> steps.add(new FileStep.Take(each)))
                            .isPresent();
                case SKIP ->
                    passed = count.map(each -> steps.add(new FileStep.Skip(each)))
                            .isPresent();
                case SHARD ->
                    passed = count.flatMap(shards -> index.map(each -> steps.add(new FileStep.Shard(shards, each))))
                            .isPresent();
                case CACHE, SNAPSHOT, ASSERT, TRANSPARENT -> {}
                default -> passed = node.getOp().equals("Identity");
            }
            if (!passed) {
                return Optional.empty();
            }
            next = scope.producer(node.getInput(0));
        }
        return Optional.empty();
    }

    private static FileStep shuffle(NodeDef shuffle, Scope scope) {
        long seed = DatasetOps.number(shuffle, OpTraits.Input.SEED, scope).orElse(0L);
        long seed2 = DatasetOps.number(shuffle, OpTraits.Input.SEED2, scope).orElse(0L);
        Optional<Long> buffer = DatasetOps.number(shuffle, OpTraits.Input.SIZE, scope);
        if ((seed == 0 && seed2 == 0) || buffer.isEmpty()) {
            return new FileStep.Shuffle(31 * seed + seed2);
        }
        boolean reshuffles = shuffle.getAttrOrDefault("reshuffle_each_iteration", Protos.bool(true))
                .getB();
        return new FileStep.SeededShuffle(seed, seed2, buffer.get(), reshuffles);
    }

    /** One list of two that are taken as they stand. */
    private static Optional<FileList> joined(
            NodeDef node, Scope scope, List<FileStep> steps, boolean shuffled, long epochs) {
        Optional<FileList> first = at(node.getInput(0), scope).filter(FileList::isPlain);
        Optional<FileList> second = at(node.getInput(1), scope).filter(FileList::isPlain);
        boolean alike = first.isPresent()
                && second.isPresent()
                && first.get().declared == second.get().declared
                && first.get().directory.equals(second.get().directory);
        if (!alike) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>(first.get().names);
        names.addAll(second.get().names);
        return Optional.of(new FileList(names, steps, shuffled, epochs, first.get().declared, first.get().directory));
    }

    private boolean isPlain() {
        return steps.isEmpty() && !shuffled && epochs == 1;
    }

    private static Optional<FileList> slices(
            NodeDef node, Scope scope, List<FileStep> steps, boolean shuffled, long epochs) {
        if (node.getInputCount() != 1) {
            return Optional.empty();
        }
        boolean declared =
                node.containsAttr("is_files") && node.getAttrOrThrow("is_files").getB();
        return Constants.value(scope, node.getInput(0))
                .filter(tensor -> tensor.getDtype() == DataType.DT_STRING
                        && tensor.getTensorShape().getDimCount() == 1)
                .map(tensor -> new FileList(
                        Constants.strings(tensor), steps, shuffled, epochs, declared, RelativeNames.directory(node)));
    }
}
