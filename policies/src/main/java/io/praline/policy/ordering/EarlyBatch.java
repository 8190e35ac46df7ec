package io.praline.policy.ordering;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A batch that is made for some steps alone, in front of the first of them, and taken apart again behind the last: the user's
 * own comes later, behind what takes single elements, or not at all. Which elements share it changes nothing, since each step
 * makes of every row what it makes of the element alone.
 *
 * @param size how many elements go together at most; the last batch may be a short one
 * @param from the place of its first step in the section's order, from 0
 * @param to behind its last
 */
record EarlyBatch(int size, int from, int to) {
    /** More hardly save anything: a call is shared by so many, and the rest is work on values. */
    static final int MOST = 128;

    /** Fewer are not worth being put together. */
    static final int FEWEST = 8;

    /** What goes together is to stay in a processor's own cache, in front of its steps and behind them. */
    private static final double MOST_BYTES = 1 << 20;

    private static final String ENDS = "]";

    /** Behind these an element that fails is left out, or never made: a batch would take its neighbours along. */
    private static final List<String> LEAVING_OUT = List.of("Take", "ExperimentalTakeWhile");

    private static final List<String> IGNORING_ERRORS = List.of("IgnoreErrors", "ExperimentalIgnoreErrors");

    /** How many elements of so many bytes go together; fewer than {@link #FEWEST}: none do. */
    static int size(double bytes) {
        int size = MOST;
        while (size >= FEWEST && size * bytes > MOST_BYTES) {
            size /= 2;
        }
        return size;
    }

    /** As it is called in words. */
    static String name(int size) {
        return "early batch of " + size;
    }

    /** The batch as rules see it, which the user did not write. */
    static Step step(int size) {
        return new Step(
                name(size),
                name(size),
                StepKind.BATCH,
                List.of(new StepOp("BatchDatasetV2", List.of("variant"), List.of("variant"), new TreeMap<>())),
                false,
                false,
                false,
                false,
                false,
                Collections.emptySortedSet(),
                new TreeSet<>(),
                false,
                List.of(),
                List.of());
    }

    /**
     * Whether elements of these components can be put together and taken apart again as they were. Of a tensor without values
     * TensorFlow takes no row: the process ends.
     */
    static boolean takes(List<TensorSpec> element) {
        return element.stream()
                .allMatch(spec -> spec.values().orElse(0) > 0
                        && (ElementType.isNumeric(spec.type()) || spec.type().equals("string")));
    }

    /** Whether nothing in the pipeline minds that elements are read, and may fail, some at a time. */
    static boolean fits(List<Step> pipeline) {
        Set<String> ends = Set.of(ENDS);
        return pipeline.stream()
                .noneMatch(step -> ends.contains(step.name())
                        || step.name().startsWith("[")
                        || ignoresErrors(step)
                        || isOf(step, LEAVING_OUT));
    }

    /** Whether elements and batches that fail in front of it are left out by it. */
    static boolean ignoresErrors(Step step) {
        return isOf(step, IGNORING_ERRORS);
    }

    private static boolean isOf(Step step, List<String> words) {
        return step.is(StepKind.BARRIER)
                && step.ops().stream().anyMatch(op -> words.stream().anyMatch(op.op()::startsWith));
    }

    /** A section as a worker is told it: {@code [128} in front of the first step of an early batch, {@code ]} behind its last. */
    static List<String> told(List<String> names, List<EarlyBatch> early) {
        List<String> told = new ArrayList<>(names);
        for (int i = early.size() - 1; i >= 0; i--) {
            told.add(early.get(i).to(), ENDS);
            told.add(early.get(i).from(), "[" + early.get(i).size());
        }
        return told;
    }
}
