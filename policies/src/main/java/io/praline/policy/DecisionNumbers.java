package io.praline.policy;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers of a {@link Decision} by what they are. In its map, and so in the journal, they stand under these keys:
 *
 * <pre>
 *   expectedElementsPerSecond              expected of the target: a quantity's key, its first letter large
 *   alternative 2+1: elementsPerSecond     expected of 2 remote and 1 local instead: a quantity's key
 *   anything else                          a ground
 * </pre>
 *
 * @param expected of the target that it leaves in force
 * @param alternatives by their remote and then their local workers, no workers twice
 * @param grounds on which the reason rests, by name with unit
 */
public record DecisionNumbers(Expected expected, List<Alternative> alternatives, SortedMap<String, Double> grounds) {
    private static final String EXPECTED = "expected";
    private static final Pattern ALTERNATIVE =
            Pattern.compile("alternative (0|[1-9]\\d{0,9})\\+(0|[1-9]\\d{0,9}): (.+)");
    private static final Comparator<Target> BY_WORKERS =
            Comparator.comparingInt(Target::remote).thenComparingInt(Target::local);

    public DecisionNumbers {
        alternatives = alternatives.stream()
                .sorted(Comparator.comparing(Alternative::workers, BY_WORKERS))
                .toList();
        grounds = Collections.unmodifiableSortedMap(new TreeMap<>(grounds));
        for (int i = 1; i < alternatives.size(); i++) {
            Target workers = alternatives.get(i).workers();
            if (workers.equals(alternatives.get(i - 1).workers())) {
                throw new IllegalArgumentException("alternatives must differ, two are " + workers);
            }
        }
        for (String name : grounds.keySet()) {
            if (expected(name).isPresent() || alternative(name).isPresent()) {
                throw new IllegalArgumentException("grounds must not be named as what is expected, are '" + name + "'");
            }
        }
    }

    /** As a decision holds them. */
    public SortedMap<String, Double> write() {
        SortedMap<String, Double> numbers = new TreeMap<>(grounds);
        expected.quantities().forEach((quantity, value) -> numbers.put(key(quantity), value));
        for (Alternative other : alternatives) {
            other.expected()
                    .quantities()
                    .forEach((quantity, value) -> numbers.put(key(other.workers(), quantity), value));
        }
        return numbers;
    }

    /** What {@link #write} wrote. A key that is not known, of another version or policy, is a ground. */
    public static DecisionNumbers read(Map<String, Double> numbers) {
        Expected expected = Expected.NOTHING;
        SortedMap<Target, Expected> alternatives = new TreeMap<>(BY_WORKERS);
        SortedMap<String, Double> grounds = new TreeMap<>();
        for (Map.Entry<String, Double> number : numbers.entrySet()) {
            Optional<Quantity> ofTarget = expected(number.getKey());
            Optional<Other> ofOther = alternative(number.getKey());
            if (ofTarget.isPresent()) {
                expected = expected.with(ofTarget.get(), number.getValue());
            } else if (ofOther.isPresent()) {
                Expected so = alternatives.getOrDefault(ofOther.get().workers, Expected.NOTHING);
                alternatives.put(ofOther.get().workers, so.with(ofOther.get().quantity, number.getValue()));
            } else {
                grounds.put(number.getKey(), number.getValue());
            }
        }
        List<Alternative> others = alternatives.entrySet().stream()
                .map(other -> new Alternative(other.getKey(), other.getValue()))
                .toList();
        return new DecisionNumbers(expected, others, grounds);
    }

    private static String key(Quantity quantity) {
        String key = quantity.key();
        return EXPECTED + Character.toUpperCase(key.charAt(0)) + key.substring(1);
    }

    private static Optional<Quantity> expected(String key) {
        if (!key.startsWith(EXPECTED) || key.length() == EXPECTED.length()) {
            return Optional.empty();
        }
        String large = key.substring(EXPECTED.length());
        return Quantity.of(Character.toLowerCase(large.charAt(0)) + large.substring(1))
                .filter(quantity -> key(quantity).equals(key));
    }

    private static String key(Target workers, Quantity quantity) {
        return "alternative " + workers.remote() + "+" + workers.local() + ": " + quantity.key();
    }

    /** What an alternative's key names. */
    private record Other(Target workers, Quantity quantity) {}

    private static Optional<Other> alternative(String key) {
        Matcher named = ALTERNATIVE.matcher(key);
        if (!named.matches()) {
            return Optional.empty();
        }
        long remote = Long.parseLong(named.group(1));
        long local = Long.parseLong(named.group(2));
        return remote > Integer.MAX_VALUE || local > Integer.MAX_VALUE
                ? Optional.empty()
                : Quantity.of(named.group(3))
                        .map(quantity -> new Other(new Target((int) remote, (int) local), quantity));
    }
}
