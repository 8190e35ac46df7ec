package io.praline.worker.engine;

import java.util.List;
import java.util.stream.LongStream;

/**
 * What a graph told beside its elements.
 *
 * @param dropped tickets of elements that filters rejected
 * @param before those of them that were rejected before the cache point behind which elements are kept; none where none are
 * @param unbatched tickets of elements of batches that came short and were left out
 */
public record ToldTickets(List<Long> dropped, List<Long> before, List<Long> unbatched) {
    /** Nothing. */
    public static final ToldTickets NOTHING = new ToldTickets(List.of(), List.of(), List.of());

    public ToldTickets {
        dropped = List.copyOf(dropped);
        before = List.copyOf(before);
        unbatched = List.copyOf(unbatched);
    }

    static ToldTickets of(long[] told) {
        return new ToldTickets(
                LongStream.of(told).filter(each -> each >= 0).boxed().toList(),
                List.of(),
                LongStream.of(told)
                        .filter(each -> each < 0)
                        .map(each -> ~each)
                        .boxed()
                        .toList());
    }
}
