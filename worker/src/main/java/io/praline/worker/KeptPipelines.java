package io.praline.worker;

import io.praline.worker.attempt.input.KnownPipeline;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The pipelines that were asked for last, by their digest: so many of them, and of so many bytes together, since a pipeline may
 * hold arrays; the last one whatever it has. For one thread at a time.
 */
final class KeptPipelines {
    private final int most;
    private final long mostBytes;
    private final Map<String, KnownPipeline> byDigest = new LinkedHashMap<>(16, 0.75f, true);

    KeptPipelines(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /** The pipeline of a digest, which is read where it is not kept. */
    KnownPipeline of(String digest, Function<String, KnownPipeline> read) {
        KnownPipeline wanted = byDigest.computeIfAbsent(digest, read);
        long bytes = byDigest.values().stream()
                .mapToLong(known -> known.graph().bytes())
                .sum();
        Iterator<KnownPipeline> eldest = byDigest.values().iterator();
        while (byDigest.size() > most || (byDigest.size() > 1 && bytes > mostBytes)) {
            bytes -= eldest.next().graph().bytes();
            eldest.remove();
        }
        return wanted;
    }
}
