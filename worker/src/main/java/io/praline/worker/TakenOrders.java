package io.praline.worker;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Orders that were taken, and may be told again until the dispatcher sees that. It remembers the newest: nobody repeats one that
 * was followed by so many. Owned by the thread of the commands.
 */
final class TakenOrders {
    private static final int REMEMBERED = 10_000;

    private final Set<String> taken = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    });

    /** Whether it comes for the first time. */
    boolean take(String order) {
        return taken.add(order);
    }
}
