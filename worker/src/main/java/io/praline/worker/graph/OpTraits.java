package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;

/**
 * What an op does to elements: a row of the table {@code op-traits.tsv}, which holds every dataset op and every random or
 * stateful op of TensorFlow 2.18. All passes ask it, and know nothing of ops besides what they must to rewrite them.
 *
 * <p>A dataset op that the table lacks is taken for the worst that there is, and is not {@link #known}. Any other op that it
 * lacks is a function of its inputs.
 *
 * @param op TensorFlow's name of it
 * @param known whether the table knows what it does
 * @param family what it is, as passes tell ops apart
 * @param grain how many elements it makes of how many
 * @param keepsOrder whether elements leave in the order in which they came; where the node's own attributes and options say
 *     nothing else
 * @param drops which elements it may leave out
 * @param repeats whether the same comes out when it runs again over the same
 * @param position whether its work on an element depends on the element's place in the whole dataset, or on what stands
 *     before it; of an op that is no dataset, whether it leaves something behind for the next time
 * @param draws whether it draws random numbers
 * @param stateless the op that draws the same from a key, where there is one
 * @param inputs places of the inputs that passes read or change, from 0; from the last one, -1, where negative
 * @param perTask what each of several tasks does on its own, in words; empty where several do together what one would
 */
public record OpTraits(
        String op,
        boolean known,
        Family family,
        Grain grain,
        boolean keepsOrder,
        Drops drops,
        Repeats repeats,
        boolean position,
        Draws draws,
        Optional<String> stateless,
        Map<Input, Integer> inputs,
        String perTask) {

    /** Kinds of ops. */
    public enum Family {
        MAP,
        FILTER,
        BATCH,
        PADDED_BATCH,
        UNBATCH,
        REBATCH,
        SPARSE_BATCH,
        PARSE,
        SHUFFLE,
        CACHE,
        SNAPSHOT,
        /** Runs a function for each element and yields what the datasets that it returns yield. */
        INTERLEAVE,
        TFRECORD,
        TEXT_LINES,
        FIXED_LENGTH,
        /** Slices of tensors. */
        SLICES,
        SPARSE_SLICES,
        /** Names of files, by a pattern that is looked up where the graph runs. */
        MATCHING_FILES,
        RANGE,
        /** Random numbers without end. */
        RANDOM,
        /** Another dataset that has no input. */
        SOURCE,
        TAKE,
        SKIP,
        SHARD,
        TAKE_WHILE,
        UNIQUE,
        REPEAT,
        WINDOW,
        /** Windows by key. */
        GROUP,
        REDUCE,
        SCAN,
        ZIP,
        CONCATENATE,
        /** Takes elements from several datasets as another one says. */
        CHOOSE,
        /** Yields its input's elements as they are, all that can be made, in their order. */
        TRANSPARENT,
        ASSERT,
        /** A dataset op that nothing here can follow. */
        OTHER,
        /** A function of its inputs. */
        PURE,
        DRAW,
        /** Runs functions. */
        CALL,
        /** A lookup table that does not change. */
        TABLE,
        /** A handle that only its dataset uses. */
        RESOURCE,
        CHECK,
        /** An array that lives as long as the call it is made in. */
        ARRAY,
        /** Reads or changes what lives longer than a call: no pipeline's result may hang on it. */
        STATE
    }

    /** How many elements are made of how many. */
    public enum Grain {
        ONE_TO_ONE,
        ONE_TO_MANY,
        MANY_TO_ONE,
        /** Elements come from outside, or from constants. */
        SOURCE,
        /** It is no dataset. */
        VALUE
    }

    /** Which elements are left out. */
    public enum Drops {
        NOTHING,
        /** What the user's function rejects. */
        PREDICATE,
        /** By their places. */
        POSITION,
        /** A short last group, where the node says so. */
        REMAINDER,
        /** What cannot be made. */
        ERRORS,
        /** Some, at random. */
        CHANCE
    }

    /** Whether the same comes out again. */
    public enum Repeats {
        YES,
        /** Where its seeds are constants and not both 0. */
        SEEDED,
        NO
    }

    /** Whether random numbers are drawn. */
    public enum Draws {
        NOTHING,
        /** Another op can draw the same from a key. */
        KEYABLE,
        UNKEYABLE
    }

    /** An input with a meaning. */
    public enum Input {
        /** Elements in a batch, in a window or among which a shuffle chooses. */
        SIZE,
        /** From the beginning of a window to that of the next. */
        SHIFT,
        /** Whether a short last group is dropped. */
        REMAINDER,
        /** How many elements are taken or skipped, how often a dataset is repeated, of how many shards one is read. */
        COUNT,
        /** Which shard is read. */
        INDEX,
        SEED,
        SEED2,
        /** How many datasets an interleave has open; below 1: as many as the host likes. */
        CYCLE,
        /** How many elements of one dataset an interleave yields in turn. */
        BLOCK,
        /** How many datasets are opened before their turn. */
        AHEAD,
        /** How many calls run beside each other; below 1: as many as the host likes. */
        CALLS,
        /** Whether a dataset that is late may be passed over. */
        SLOPPY,
        /** Names of files. */
        FILES,
        /** The folder of a dataset that was saved. */
        FOLDER,
        /** The first argument of the functions that are called. */
        ARGUMENTS,
        /** A handle of the process that wrote the pipeline down. */
        RESOURCE
    }

    private static final Map<String, OpTraits> ROWS = OpTable.read();

    public OpTraits {
        inputs = Collections.unmodifiableMap(new TreeMap<>(inputs));
        if (op.isEmpty()) {
            throw new IllegalArgumentException("op must not be empty");
        }
        if ((draws == Draws.KEYABLE) != stateless.isPresent()) {
            throw new IllegalArgumentException(
                    "stateless must be there where draws can be keyed and nowhere else, is " + stateless + " of " + op);
        }
        boolean remembers = position && (family == Family.STATE || family == Family.TABLE || family == Family.DRAW);
        if (grain == Grain.VALUE && ((position && !remembers) || !keepsOrder || drops != Drops.NOTHING)) {
            throw new IllegalArgumentException(op + " is no dataset and must not say what it does to elements");
        }
        if (repeats == Repeats.SEEDED && !inputs.keySet().containsAll(List.of(Input.SEED, Input.SEED2))) {
            throw new IllegalArgumentException("inputs must say where the seeds of " + op + " are, are " + inputs);
        }
    }

    /** What an op does. */
    public static OpTraits of(String op) {
        OpTraits row = ROWS.get(op);
        if (row != null) {
            return row;
        }
        return DatasetOps.isDataset(op) ? worst(op) : pure(op);
    }

    /** What a node does: of some ops an attribute says whether they draw. */
    public static OpTraits of(NodeDef node) {
        OpTraits traits = of(node.getOp());
        return traits.draws() == Draws.UNKEYABLE && drawsNothing(node) ? pure(node.getOp()) : traits;
    }

    private static boolean drawsNothing(NodeDef node) {
        return switch (node.getOp()) {
            // beyond the edge of a picture there may be noise
            case "ExtractGlimpse", "ExtractGlimpseV2" ->
                !attribute(node, "uniform_noise").getB()
                        && attribute(node, "noise").getS().toStringUtf8().equals("zero");
            case "FractionalAvgPool", "FractionalMaxPool" ->
                attribute(node, "deterministic").getB()
                        && (attribute(node, "seed").getI() != 0
                                || attribute(node, "seed2").getI() != 0);
            default -> false;
        };
    }

    private static AttrValue attribute(NodeDef node, String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance());
    }

    /** Names of all ops of the table, sorted. */
    public static List<String> ops() {
        return List.copyOf(ROWS.keySet());
    }

    /** The ops of a pipeline and of its functions that do more than compute from their inputs, sorted by name. */
    public static List<OpTraits> in(PipelineGraph pipeline) {
        TreeSet<String> ops = new TreeSet<>();
        pipeline.work()
                .map(NodeDef::getOp)
                .filter(op -> !pipeline.functions().containsKey(op))
                .filter(op -> ROWS.containsKey(op) || DatasetOps.isDataset(op))
                .forEach(ops::add);
        return ops.stream().map(OpTraits::of).toList();
    }

    /** Whether it reads the records of files whose names it is given, in a format that files can be cut in. */
    public boolean isReader() {
        return switch (family) {
            case TFRECORD, TEXT_LINES, FIXED_LENGTH -> true;
            default -> false;
        };
    }

    /** Whether it keeps its input's elements, in memory or in files, for the next time. */
    public boolean isCache() {
        return family == Family.CACHE || family == Family.SNAPSHOT;
    }

    public boolean isBatch() {
        return family == Family.BATCH || family == Family.PADDED_BATCH;
    }

    /** Whether what it yields are batches of its own making: of elements, of sparse ones, or of other batches' rows. */
    public boolean makesBatches() {
        return isBatch() || family == Family.SPARSE_BATCH || family == Family.REBATCH;
    }

    /** What a node is given at the place of an input; empty where it has none such. */
    public Optional<String> input(NodeDef node, Input input) {
        return place(node.getInputList(), input).map(node::getInput);
    }

    /** Gives a node something else at the place of an input that it has. */
    public void setInput(NodeDef.Builder node, Input input, String ref) {
        node.setInput(place(node.getInputList(), input).orElseThrow(), ref);
    }

    private Optional<Integer> place(List<String> given, Input input) {
        Integer place = inputs.get(input);
        if (place == null) {
            return Optional.empty();
        }
        // inputs that are only waited for stand at the end
        int count = (int) given.stream().filter(each -> !each.startsWith("^")).count();
        int fromFirst = place < 0 ? count + place : place;
        return fromFirst >= 0 && fromFirst < count ? Optional.of(fromFirst) : Optional.empty();
    }

    /** In words, as a reader of the table would say it. */
    public String words() {
        if (!known) {
            return "no row: taken for the worst that there is";
        }
        List<String> said = new ArrayList<>(List.of(word(family)));
        if (grain != Grain.VALUE) {
            said.add(word(grain));
        }
        if (!keepsOrder) {
            said.add("loses the order");
        }
        if (drops != Drops.NOTHING) {
            said.add("drops by " + word(drops));
        }
        if (position) {
            said.add("looks at the global position");
        }
        switch (draws) {
            case NOTHING -> {
                if (repeats != Repeats.YES) {
                    said.add(repeats == Repeats.SEEDED ? "repeatable if seeded" : "not repeatable");
                }
            }
            case KEYABLE -> said.add("draws, by key with " + stateless.orElseThrow());
            case UNKEYABLE -> said.add("draws, not by key");
        }
        if (!perTask.isEmpty()) {
            said.add(perTask);
        }
        return String.join(", ", said);
    }

    /** A value of the table as it stands there. */
    public static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static OpTraits worst(String op) {
        return new OpTraits(
                op,
                false,
                Family.OTHER,
                Grain.ONE_TO_MANY,
                false,
                Drops.CHANCE,
                Repeats.NO,
                true,
                Draws.UNKEYABLE,
                Optional.empty(),
                Map.of(),
                "");
    }

    private static OpTraits pure(String op) {
        return new OpTraits(
                op,
                true,
                Family.PURE,
                Grain.VALUE,
                true,
                Drops.NOTHING,
                Repeats.YES,
                false,
                Draws.NOTHING,
                Optional.empty(),
                Map.of(),
                "");
    }
}
