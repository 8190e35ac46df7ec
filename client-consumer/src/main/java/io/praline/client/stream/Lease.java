package io.praline.client.stream;

import io.praline.client.metrics.ConsumptionReporter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Whether the loop may be given batches. A process that was cut off, or stopped for a while, may have been replaced, and
 * its elements may be with others: it gives none until it has heard that it is still the one.
 *
 * <pre>
 *   over = time since the sending of the newest beat that a status echoes &gt;= the length that the status tells
 * </pre>
 *
 * <p>The attachment counts as beat 0. Time is that of the clock that went further ({@link Moment}), and it is looked at
 * in the very step that hands a batch out: what was sent before a long stop renews nothing after it, however late its echo
 * is read. A dispatcher that echoes no beats is an older one: for it, the lease is over when a report has waited for
 * its confirmation for as long.
 *
 * <p>Owned by the stream's lock.
 */
public final class Lease {
    private final ConsumptionReporter reporter;
    private final Deque<Beat> sent = new ArrayDeque<>();
    private Optional<Moment> from = Optional.empty();
    // once the job is complete: whether it held then
    private Optional<Boolean> settled = Optional.empty();
    private boolean echoes;
    private long lengthNanos;

    private record Beat(long number, Moment at) {}

    /** @param usual how long a beat is good while the dispatcher has not said so */
    public Lease(ConsumptionReporter reporter, Duration usual) {
        this.reporter = reporter;
        this.lengthNanos = usual.toNanos();
    }

    /** A beat goes out, or the attachment as number 0. */
    public void sent(long beat, Moment at) {
        // an echo of these renews nothing any more
        while (!sent.isEmpty() && at.nanosSince(sent.peek().at()) >= lengthNanos) {
            sent.remove();
        }
        sent.add(new Beat(beat, at));
    }

    /** The dispatcher echoes beats, and this is how long one is good. */
    public void length(Duration told) {
        echoes = true;
        lengthNanos = told.toNanos();
    }

    /** A status echoes this beat of this process. */
    public void echoed(long beat) {
        while (!sent.isEmpty() && sent.peek().number() <= beat) {
            from = Optional.of(sent.remove().at());
        }
    }

    /** The job is complete, and no beat is echoed any more: what holds now holds for ever, and what is over stays so. */
    public void settle(Moment now) {
        settled = Optional.of(!isOver(now));
    }

    /**
     * When it is over as far as is known now, which is when either clock comes there: for who looks at it later and elsewhere.
     * Of an older dispatcher nobody knows that, who then asks again after as long as a lease is.
     */
    public Moment end(Moment now) {
        if (isOver(now)) {
            return now;
        }
        return settled.isPresent() ? Moment.NEVER : (echoes ? from.orElse(now) : now).plusNanos(lengthNanos);
    }

    public boolean isOver(Moment now) {
        if (settled.isPresent()) {
            return !settled.get();
        }
        return echoes ? from.isEmpty() || now.nanosSince(from.get()) >= lengthNanos : reporter.leaseOver(now.nanos());
    }
}
