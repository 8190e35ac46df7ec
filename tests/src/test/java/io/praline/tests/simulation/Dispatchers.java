package io.praline.tests.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The partitions, and which dispatcher has which: of two each has one at first, and both where the other is gone. */
final class Dispatchers {
    private final List<Dispatching> partitions;
    private final int[] owners;

    Dispatchers(List<Dispatching> partitions) {
        this.partitions = List.copyOf(partitions);
        this.owners = IntStream.range(0, partitions.size()).toArray();
    }

    /** Those that are nobody's are taken over. */
    void start() {
        partitions.forEach(Dispatching::start);
    }

    /** A dispatcher is gone; who has its partitions next may be the other one. */
    void kill(int who) {
        for (int partition : of(who)) {
            partitions.get(partition).kill();
            moves(partition);
        }
    }

    /** As {@link #kill}; who goes on knows no better how far it was read than so long ago. */
    void lose(int who, long millis) {
        for (int partition : of(who)) {
            partitions.get(partition).lose(millis);
            moves(partition);
        }
    }

    /** A partition goes to another dispatcher in order. */
    void handOver(int which) {
        int partition = Math.floorMod(which, partitions.size());
        partitions.get(partition).handOver();
        moves(partition);
    }

    private void moves(int partition) {
        owners[partition] = (owners[partition] + 1) % partitions.size();
    }

    private List<Integer> of(int who) {
        int owner = Math.floorMod(who, partitions.size());
        return IntStream.range(0, owners.length)
                .filter(partition -> owners[partition] == owner)
                .boxed()
                .toList();
    }

    /** What a dispatcher is made of. */
    List<Host> process(int who) {
        return of(who).stream()
                .map(partition -> partitions.get(partition).process())
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Looks into the rows of all partitions.
     *
     * @param ended whether all jobs have ended
     */
    void check(boolean ended) {
        partitions.forEach(partition -> partition.check(ended));
    }

    /** All that run. */
    List<Host> processes() {
        List<Host> all = new ArrayList<>();
        partitions.forEach(partition -> partition.process().ifPresent(all::add));
        return all;
    }

    /** A turn of the first one throws from now on where it is about this job. */
    void poison(String job) {
        partitions.get(0).poison(job);
    }
}
