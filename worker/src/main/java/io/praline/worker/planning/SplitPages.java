package io.praline.worker.planning;

import io.praline.schema.Split;
import io.praline.schema.SplitPage;
import io.praline.topics.Agreements;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Splits on their way out, a page at a time, so that what is held does not grow with the plan. Not safe for several threads. */
final class SplitPages {
    private final Consumer<SplitPage> out;
    private List<Split> page = new ArrayList<>();
    private int number;
    private long splits;

    /** @param out gets every page in order */
    SplitPages(Consumer<SplitPage> out) {
        this.out = out;
    }

    void add(Split split) {
        page.add(split);
        splits++;
        if (page.size() == Agreements.SPLITS_A_PAGE) {
            flush();
        }
    }

    /** Sends what waits for its page to be full; nothing where nothing waits. */
    void flush() {
        if (!page.isEmpty()) {
            out.accept(new SplitPage(number, page));
            number++;
            page = new ArrayList<>();
        }
    }

    /** How many were added. */
    long splits() {
        return splits;
    }
}
