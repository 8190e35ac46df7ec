package io.praline.wire.trace;

import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.function.Supplier;

/** Random ids, but for a span that is begun {@link #under} given ones. Any thread. */
final class DerivedIds implements IdGenerator {
    // of all instances: it is set only while one span begins
    private static final ThreadLocal<BatchName.Ids> GIVEN = new ThreadLocal<>();

    private final IdGenerator others = IdGenerator.random();

    /** Runs what begins one span without a parent. */
    <T> T under(BatchName.Ids ids, Supplier<T> begin) {
        GIVEN.set(ids);
        try {
            return begin.get();
        } finally {
            GIVEN.remove();
        }
    }

    @Override
    public String generateSpanId() {
        BatchName.Ids ids = GIVEN.get();
        return ids == null ? others.generateSpanId() : ids.span();
    }

    @Override
    public String generateTraceId() {
        BatchName.Ids ids = GIVEN.get();
        return ids == null ? others.generateTraceId() : ids.trace();
    }
}
