package io.praline.deploy.page;

import io.praline.schema.JournalEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Journals that were read lately, so that a page that looks again costs no reading unless there is more. One thread. */
final class KeptJournals implements Journals {
    private static final int MOST_JOBS = 4;

    /** The newest; of a longer journal the rest is not shown. */
    private static final int MOST_ENTRIES = 20_000;

    private final Journals topic;
    private final Supplier<Picture> picture;
    private final Map<String, List<JournalEntry>> kept = new LinkedHashMap<>();

    /** @param picture tells how far a journal goes */
    KeptJournals(Journals topic, Supplier<Picture> picture) {
        this.topic = topic;
        this.picture = picture;
    }

    @Override
    public List<JournalEntry> of(String job) {
        long newest = picture.get().figures().getOrDefault(job, JobFigures.NONE).sequence();
        List<JournalEntry> known = kept.remove(job);
        if (known == null || known.isEmpty() || known.get(known.size() - 1).getSequence() < newest) {
            List<JournalEntry> all = topic.of(job);
            known = List.copyOf(all.subList(Math.max(0, all.size() - MOST_ENTRIES), all.size()));
        }
        if (!known.isEmpty()) {
            kept.put(job, known);
        }
        if (kept.size() > MOST_JOBS) {
            kept.remove(kept.keySet().iterator().next());
        }
        return known;
    }
}
