package io.praline.tests.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Makes a schedule that fails smaller: fault after fault is dropped, then shortened, as long as it fails. */
record Shrinking(Predicate<Schedule> fails) {
    private static final int MOST_RUNS = 600;

    Schedule shrunk(Schedule failing) {
        Schedule smallest = failing;
        int runs = 0;
        for (int size = Math.max(1, failing.faults().size() / 2); size >= 1; size /= 2) {
            for (int from = 0; from < smallest.faults().size() && runs < MOST_RUNS; ) {
                List<Fault> fewer = new ArrayList<>(smallest.faults());
                fewer.subList(from, Math.min(fewer.size(), from + size)).clear();
                Schedule tried = smallest.with(fewer);
                runs++;
                if (fails.test(tried)) {
                    smallest = tried;
                } else {
                    from += size;
                }
            }
        }
        smallest = changed(smallest, fault -> with(fault, fault.millis() / 4));
        return changed(smallest, fault -> with(fault, fault.millis() / 2));
    }

    private Schedule changed(Schedule failing, Function<Fault, Fault> change) {
        Schedule smallest = failing;
        for (int i = 0; i < failing.faults().size(); i++) {
            List<Fault> other = new ArrayList<>(smallest.faults());
            other.set(i, change.apply(other.get(i)));
            Schedule tried = smallest.with(other);
            if (fails.test(tried)) {
                smallest = tried;
            }
        }
        return smallest;
    }

    private static Fault with(Fault fault, long millis) {
        return new Fault(fault.kind(), fault.atMillis(), fault.who(), fault.other(), Math.max(1, millis));
    }
}
