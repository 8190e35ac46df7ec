package io.praline.worker.delivery;

import java.util.List;
import java.util.stream.IntStream;

/**
 * For whom an attempt makes batches.
 *
 * @param number counts the changes of the job's consumers: an older one says nothing that is not known better
 * @param places every consumer of the job, there or not
 */
public record Membership(int number, List<Place> places) {
    public Membership {
        places = List.copyOf(places);
    }

    /** Consumers 0 to n-1, all there, each in the generation of its number. */
    public static Membership of(int consumers) {
        if (consumers < 1) {
            throw new IllegalArgumentException("consumers must be positive, is " + consumers);
        }
        return new Membership(
                0,
                IntStream.range(0, consumers)
                        .mapToObj(number -> new Place(number, number, true))
                        .toList());
    }

    /**
     * A consumer's place.
     *
     * @param generation the newest one of it
     * @param open whether a process holds it and is there
     */
    public record Place(int consumer, int generation, boolean open) {}
}
