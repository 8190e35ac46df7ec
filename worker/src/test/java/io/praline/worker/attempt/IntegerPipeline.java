package io.praline.worker.attempt;

import io.praline.worker.attempt.ExpectedRows.Reading;
import io.praline.worker.graph.IntegerGraph;
import java.util.ArrayList;
import java.util.List;

/**
 * A pipeline over integers, with what is certain of it.
 *
 * @param steps behind the source, in their order; those that do not fit where they stand are left out
 */
record IntegerPipeline(IntegerSource source, List<IntegerStep> steps) {
    IntegerPipeline {
        List<IntegerStep> fitting = new ArrayList<>();
        ExpectedRows here = ExpectedRows.of(source.values());
        for (IntegerStep step : steps) {
            if (step.fits(here)) {
                here = step.after(here, Reading.ONE_PROCESS);
                fitting.add(step);
            }
        }
        steps = List.copyOf(fitting);
    }

    /**
     * How it is read.
     *
     * @param readers how many tasks there are, each with a short last batch of its own; where those of all tasks are put
     *     together, 1
     * @param inOneGo whether one attempt reads all of it
     */
    record Readers(int readers, boolean inOneGo) {}

    byte[] graph() {
        IntegerGraph graph = source.written();
        steps.forEach(step -> step.write(graph));
        return graph.bytes();
    }

    /** Whether one task must read all that there is, or the first part of it. */
    boolean inOneTask() {
        return unsplit() > 0;
    }

    /** Whether one task yields its values in their order. */
    boolean ordered() {
        return (inOneTask() || source.ordered()) && !steps.contains(new IntegerStep.InAnyOrder());
    }

    /** How many of the first steps see what they would see in one process. */
    private int unsplit() {
        int unsplit = 0;
        Constant written = new Constant(source);
        boolean repeated = false;
        boolean wholeOnes = false;
        for (int i = 0; i < steps.size(); i++) {
            IntegerStep step = steps.get(i);
            repeated |= step instanceof IntegerStep.Repeat;
            boolean apart = step instanceof IntegerStep.Unbatch || step instanceof IntegerStep.Rows;
            // one of several datasets is not repeated by itself: epochs are of all; and which rows there are of batches
            // that are whole ones depends on all before
            boolean joined = written.takes(step);
            if ((step.looksAtPlaces() && !joined)
                    || (step instanceof IntegerStep.Concatenate && repeated)
                    || (apart && wholeOnes)) {
                unsplit = i + 1;
            }
            wholeOnes = step.dropsShortOnes() || (wholeOnes && !step.makesBatches() && !apart);
        }
        return unsplit;
    }

    /** What stands in the graph as one constant, which is cut: a source, with the numbers that are zipped with it. */
    private static final class Constant {
        private final long count;
        private boolean numbers;
        private boolean goesOn;

        private Constant(IntegerSource source) {
            count = source.values().size();
            numbers = source instanceof IntegerSource.Range;
            goesOn = numbers || source instanceof IntegerSource.Slices;
        }

        /** Whether a step's numbers become part of it: as many as are there, or more where it ends before them. */
        private boolean takes(IntegerStep step) {
            boolean taken = goesOn && (numbers ? step.numbers() == count : step.numbers() >= count);
            numbers &= !taken;
            goesOn &= taken || step.isOneByOne();
            return taken;
        }
    }

    /** What comes of it in all epochs. */
    ExpectedRows expected(Readers readers) {
        ExpectedRows here = ExpectedRows.of(source.values());
        if (!inOneTask() && !source.ordered()) {
            // a task reads its files one after the other: others may be the last ones
            here = here.shuffled();
        }
        int epochs = 1;
        for (int i = 0; i < steps.size(); i++) {
            IntegerStep step = steps.get(i);
            Reading reading = i < unsplit()
                    ? Reading.ONE_PROCESS
                    : new Reading(readers.inOneGo() && epochs == 1, epochs * readers.readers());
            here = step.after(here, reading);
            if (i >= unsplit() && step instanceof IntegerStep.Repeat repeat) {
                epochs *= repeat.times();
            }
        }
        return here;
    }
}
