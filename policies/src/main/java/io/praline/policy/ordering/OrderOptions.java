package io.praline.policy.ordering;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the user says about an order, beside how equal results must be.
 *
 * @param skipsBadRecords whether the job leaves records out that it fails on: a batch that fails does not tell which
 * @param leaves moves that the user allows although they change results
 * @param prices what costs are computed with
 */
public record OrderOptions(boolean skipsBadRecords, List<Leave> leaves, Prices prices) {
    public static final OrderOptions USUAL = new OrderOptions(false, List.of(), Prices.USUAL);

    public OrderOptions {
        leaves = List.copyOf(leaves);
    }

    boolean allow(Step moved, Step past) {
        return leaves.stream().anyMatch(leave -> leave.covers(moved, past));
    }

    /**
     * What costs are computed with.
     *
     * @param callNanos of one call of a map's function for one element; between 4,000 and 20,000 on machines of 2025
     * @param nanosPerByteToClient of a byte that goes to the client: 0.5 at 2 GB/s
     */
    public record Prices(double callNanos, double nanosPerByteToClient) {
        public static final Prices USUAL = new Prices(10_000, 0.5);

        /** So many ops on next to nothing take as long as a call: slices and casts of 1 KiB took 1.2 to 1.9 us beside 12.5. */
        private static final double OPS_A_CALL = 8;

        /** So often an element is put into a batch and taken out again in the time of a call: 2 us beside 12, small ones. */
        private static final double GATHERINGS_A_CALL = 6;

        public Prices {
            if (!(callNanos >= 0) || !(nanosPerByteToClient >= 0)) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "prices must not be negative, are %s ns a call and %s ns a byte",
                        callNanos,
                        nanosPerByteToClient));
            }
        }

        /** What an op of a call takes however little it is given. */
        double opNanos() {
            return callNanos / OPS_A_CALL;
        }

        /** Half of what it takes to put an element into a batch and to take it out again, beside its bytes. */
        double gatherNanos() {
            return callNanos / GATHERINGS_A_CALL / 2;
        }
    }

    /**
     * A move that the user allows: {@code resize>rotate}, a resize moves before a rotation. A side is a step's name, its
     * transformation's, the part of its name behind the colon, its kind, one of its ops, or one of the words {@code resize},
     * {@code rotate}, {@code shear}, {@code flip}, {@code crop}, {@code cast}.
     *
     * @param moved what moves
     * @param passed what it moves before
     */
    public record Leave(String moved, String passed) {
        private static final Map<String, Set<String>> WORDS = Map.of(
                "resize", Set.of(Ops.BILINEAR, Ops.BICUBIC, Ops.AREA, Ops.NEAREST, Ops.ANTIALIASED),
                "rotate", Ops.PROJECTIVE,
                "shear", Ops.PROJECTIVE,
                "flip", Set.of(Ops.REVERSE),
                "crop", Set.of("Slice", "StridedSlice"),
                "cast", Set.of("Cast"));

        public Leave {
            if (moved.isBlank() || passed.isBlank()) {
                throw new IllegalArgumentException(
                        "a leave must name what may move before what, as resize>rotate, is " + moved + ">" + passed);
            }
        }

        public static Leave parse(String text) {
            String[] sides = text.split(">", -1);
            if (sides.length != 2) {
                throw new IllegalArgumentException(
                        "a leave must name what may move before what, as resize>rotate, is " + text);
            }
            return new Leave(sides[0].strip(), sides[1].strip());
        }

        /** A side that is neither one of these steps nor a word or kind that any pipeline may have; empty where there is none. */
        public Optional<String> stranger(Collection<Step> steps) {
            return Stream.of(moved, passed)
                    .filter(side -> !isAnywhere(side) && steps.stream().noneMatch(step -> names(side, step)))
                    .findFirst();
        }

        private static boolean isAnywhere(String side) {
            return WORDS.containsKey(side.toLowerCase(Locale.ROOT))
                    || Stream.of(StepKind.values()).anyMatch(kind -> kind.name().equalsIgnoreCase(side));
        }

        boolean covers(Step step, Step before) {
            return names(moved, step) && names(passed, before);
        }

        private static boolean names(String word, Step step) {
            String lower = word.toLowerCase(Locale.ROOT);
            Set<String> called = Stream.concat(
                            Stream.of(
                                    step.name(),
                                    step.transformation(),
                                    step.name().substring(step.name().lastIndexOf(':') + 1),
                                    step.kind().name()),
                            step.ops().stream().map(StepOp::op))
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            return called.contains(lower) || step.has(WORDS.getOrDefault(lower, Set.of()));
        }

        @Override
        public String toString() {
            return moved + ">" + passed;
        }
    }
}
