package io.praline.topics.health;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Something that is off.
 *
 * @param area what it is about: {@code topics}, {@code offsets}, {@code state}, {@code transactions}, {@code records},
 *     {@code dispatcher}
 * @param problem what is off, where
 * @param remedy what to do about it
 * @param mending mends it without loss, and says what it did; empty where that needs people
 */
public record Finding(String area, String problem, String remedy, Optional<Supplier<String>> mending) {

    static Finding of(String area, String problem, String remedy) {
        return new Finding(area, problem, remedy, Optional.empty());
    }

    static Finding mendable(String area, String problem, Supplier<String> mending) {
        return new Finding(area, problem, "'praline doctor --mend' does it", Optional.of(mending));
    }
}
