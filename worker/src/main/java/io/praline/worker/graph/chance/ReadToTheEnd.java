package io.praline.worker.graph.chance;

import io.praline.worker.graph.Cardinality;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.DatasetKinds;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.tensorflow.proto.NodeDef;

/**
 * Which datasets are read to their ends where the pipeline is. A cache that is left before keeps nothing, and the next who reads
 * it finds what is drawn anew. One in memory is kept too as soon as all of its elements were taken, where it is written down how
 * many these are.
 *
 * @param surely whether what a graph does not tell speaks against it
 */
record ReadToTheEnd(PipelineGraph pipeline, Scope scope, boolean surely) {
    private static final long UNKNOWN = Long.MAX_VALUE;

    /** As many as there are, and then whether there is another one. */
    private static final long ALL = Long.MAX_VALUE;

    private static final long FEW = 0;

    /** Names of their nodes; of what is zipped to something else, it is taken to be as long where nobody can tell. */
    static Set<String> in(PipelineGraph pipeline, Scope scope) {
        return of(new ReadToTheEnd(pipeline, scope, false));
    }

    /** Those that are, whatever a graph does not tell. */
    static Set<String> surelyIn(PipelineGraph pipeline, Scope scope) {
        return of(new ReadToTheEnd(pipeline, scope, true));
    }

    private static Set<String> of(ReadToTheEnd reading) {
        Set<String> ended = new HashSet<>();
        reading.walk(reading.pipeline.root(), ALL, ended, new HashSet<>());
        return ended;
    }

    /** @param taken how many elements are taken of a dataset, or more where nobody can tell */
    private void walk(String ref, long taken, Set<String> ended, Set<String> seen) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        Optional<Long> there = exactly(ref);
        long known = taken > there.orElseGet(() -> most(ref)) ? ALL : taken;
        if (known == ALL || (there.equals(Optional.of(taken)) && !isInFiles(node))) {
            ended.add(node.getName());
        }
        if (!seen.add(node.getName() + " " + known)) {
            return;
        }
        long ofFunction = pipeline.workOf(node).anyMatch(DatasetOps::mayLeave) ? FEW : ALL;
        for (int i = 0; i < node.getInputCount(); i++) {
            // what a function captures it reads to its end, unless a step of it may leave it
            boolean data = i == 0
                    || switch (OpTraits.of(node).family()) {
                        case ZIP, CONCATENATE, CHOOSE -> true;
                        default -> false;
                    };
            walk(node.getInput(i), data ? taken(node, i, known) : ofFunction, ended, seen);
        }
    }

    /** A file is written to its end when nothing more comes. */
    private boolean isInFiles(NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        return traits.isCache()
                && traits.input(node, OpTraits.Input.FILES)
                        .flatMap(file -> Constants.string(scope, file))
                        .filter(String::isEmpty)
                        .isEmpty();
    }

    /** How many elements a step takes of one of its inputs, where so many are taken of itself. */
    private long taken(NodeDef step, int input, long taken) {
        String ref = step.getInput(input);
        return switch (OpTraits.of(step).family()) {
            case TAKE ->
                count(step)
                        .map(count -> count < 0 ? taken : Math.min(taken, count))
                        .orElse(FEW);
            case TAKE_WHILE -> Math.min(taken, 1);
            case MAP, FILTER, SCAN, CACHE, SNAPSHOT, ASSERT, TRANSPARENT -> taken;
            case SHUFFLE -> takenByShuffle(step, taken);
            case BATCH, PADDED_BATCH ->
                DatasetOps.batchSize(step, scope)
                        .map(size -> times(taken, size))
                        .orElse(taken == ALL ? ALL : Math.min(taken, 1));
            // once more, or the next, begins where this one has ended
            case REPEAT -> exactly(ref).isPresent() ? taken : ALL;
            case CONCATENATE -> input == 0 && exactly(ref).isEmpty() ? ALL : input == 0 || taken == ALL ? taken : FEW;
            case ZIP -> Math.min(taken, takenBeside(step, input));
            case CHOOSE -> taken == ALL ? ALL : FEW;
            // whoever makes an element has been given one
            default -> taken == ALL ? ALL : Math.min(taken, 1);
        };
    }

    /** A shuffle has its buffer full before it gives anything, and fills it up before each of the next. */
    private long takenByShuffle(NodeDef shuffle, long taken) {
        if (taken == FEW || taken == ALL) {
            return taken;
        }
        Optional<Long> buffer = DatasetOps.number(shuffle, OpTraits.Input.SIZE, scope);
        // without a number it has all to choose from
        boolean all = buffer.filter(size -> size > 0 && size < ALL - taken).isEmpty();
        return all ? ALL : taken + buffer.get() - 1;
    }

    private static long times(long taken, long size) {
        return size < 1 || taken > ALL / size ? ALL : taken * size;
    }

    /** How many a zip takes of what it is known to be longer than another: that ends it. */
    private long takenBeside(NodeDef zip, int input) {
        List<String> inputs = zip.getInputList();
        Optional<Long> own = exactly(inputs.get(input));
        if (surely && own.isEmpty() && mayBeOutlasted(zip, input)) {
            return FEW;
        }
        return IntStream.range(0, inputs.size())
                .filter(other -> other != input)
                .mapToObj(other -> exactly(inputs.get(other)))
                .flatMap(Optional::stream)
                .filter(others -> own.filter(count -> others < count).isPresent())
                .min(Long::compare)
                .orElse(ALL);
    }

    /** Whether another one may end before an input of a zip of which it is not known how long it is. */
    private boolean mayBeOutlasted(NodeDef zip, int input) {
        long most = most(zip.getInput(input));
        DatasetKinds kinds = new DatasetKinds(pipeline, scope);
        return IntStream.range(0, zip.getInputCount())
                .filter(other -> other != input)
                .mapToObj(zip::getInput)
                .filter(other -> !kinds.endless(other))
                .anyMatch(other -> exactly(other).filter(count -> count >= most).isEmpty());
    }

    private Optional<Long> count(NodeDef step) {
        return DatasetOps.number(step, OpTraits.Input.COUNT, scope);
    }

    /** How many elements a dataset has, as far as TensorFlow knows it without running it. */
    private Optional<Long> exactly(String ref) {
        Optional<NodeDef> producer = scope.producer(ref);
        if (producer.isEmpty() || producer.get().getInputCount() == 0) {
            return Optional.empty();
        }
        NodeDef node = producer.get();
        OpTraits traits = OpTraits.of(node);
        return switch (traits.family()) {
            case RANGE, SLICES -> Cardinality.written(node, scope);
            case SHUFFLE, CACHE -> exactly(node.getInput(0));
            case TRANSPARENT -> exactly(node.getInput(0)).filter(count -> traits.drops() == OpTraits.Drops.NOTHING);
            case MAP -> exactly(node.getInput(0)).filter(count -> DatasetOps.keepsCardinality(node));
            case BATCH, PADDED_BATCH ->
                exactly(node.getInput(0)).flatMap(count -> DatasetOps.batchSize(node, scope)
                        .filter(size -> size > 0)
                        .map(size -> DatasetOps.dropsRemainder(node, scope).orElse(false)
                                ? count / size
                                : -Math.floorDiv(-count, size)));
            case TAKE ->
                exactly(node.getInput(0))
                        .flatMap(there -> count(node).map(count -> count < 0 ? there : Math.min(there, count)));
            default -> node.getOp().equals("Identity") ? exactly(node.getInput(0)) : Optional.empty();
        };
    }

    /** More elements than these a dataset does not have. */
    private long most(String ref) {
        Optional<NodeDef> producer = scope.producer(ref);
        if (producer.isEmpty() || producer.get().getInputCount() == 0) {
            return UNKNOWN;
        }
        NodeDef node = producer.get();
        return switch (OpTraits.of(node).family()) {
            case RANGE, SLICES -> Cardinality.written(node, scope).orElse(UNKNOWN);
            case MAP,
                    FILTER,
                    BATCH,
                    PADDED_BATCH,
                    SHUFFLE,
                    CACHE,
                    SNAPSHOT,
                    TRANSPARENT,
                    ASSERT,
                    SKIP,
                    SHARD,
                    SCAN,
                    UNIQUE -> most(node.getInput(0));
            case TAKE ->
                Math.min(
                        most(node.getInput(0)),
                        count(node).filter(count -> count >= 0).orElse(UNKNOWN));
            default -> node.getOp().equals("Identity") ? most(node.getInput(0)) : UNKNOWN;
        };
    }
}
