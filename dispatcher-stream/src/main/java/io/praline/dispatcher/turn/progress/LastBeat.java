package io.praline.dispatcher.turn.progress;

import io.praline.schema.AttemptProgress;
import io.praline.schema.TransformationMetrics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the last beats said of an attempt. In memory only: the next beat says it again. Owned by the stream thread. */
public final class LastBeat {
    private Optional<Instant> heard = Optional.empty();
    private Optional<Instant> orphanedSince = Optional.empty();
    private final Instant since;
    private Instant sent;
    private boolean finishing;
    private Instant served;
    private int membership;
    private boolean fenced;
    private int unopened;
    private double splitSeconds;
    private long outboxBytes;
    private List<TransformationMetrics> metrics = List.of();
    private boolean metricsLeftOut;
    private long elements;
    private Entries entries = new Entries(0, 0, 0);
    private final RateMeter rate = new RateMeter();
    private Optional<String> worker = Optional.empty();

    /**
     * What an attempt did with entries so far.
     *
     * @param cachedElements that it made from them
     * @param cachedSplits that it read from one
     * @param storedSplits of which it made one
     */
    public record Entries(long cachedElements, long cachedSplits, long storedSplits) {}

    public LastBeat(Instant sent) {
        this.since = sent;
        this.sent = sent;
        this.served = sent;
    }

    /** Since when beats are looked at for it. */
    public Instant since() {
        return since;
    }

    /** Whether its worker said that it is to drain. */
    public boolean finishing() {
        return finishing;
    }

    /** When a beat last listed it; empty where none did. */
    public Optional<Instant> heard() {
        return heard;
    }

    /** Since when its process is known not to be alive; empty where it is. */
    public Optional<Instant> orphanedSince() {
        return orphanedSince;
    }

    public void orphanedSince(Optional<Instant> since) {
        orphanedSince = since;
    }

    /** When a command was last sent to it, as far as is known. */
    public Instant sent() {
        return sent;
    }

    public void sent(Instant at) {
        sent = at;
    }

    /** When it was last told of the job's consumers, as far as is known. */
    public Instant served() {
        return served;
    }

    public void served(Instant at) {
        served = at;
    }

    /** The newest change of the job's consumers that it has. */
    public int membership() {
        return membership;
    }

    /** Whether its worker said that it is fenced, and that it knows what was sent of it. */
    public boolean fenced() {
        return fenced;
    }

    /** A beat told of it, which is fenced in the accounts. */
    public void fenced(Instant at, AttemptProgress told) {
        heard = Optional.of(at);
        fenced = told.getFenced();
        membership = told.getMembership();
    }

    /** Splits that it has taken and not opened. */
    public int unopened() {
        return unopened;
    }

    public double splitSeconds() {
        return splitSeconds;
    }

    /** Bytes that it has made and no client has taken. */
    public long outboxBytes() {
        return outboxBytes;
    }

    public List<TransformationMetrics> metrics() {
        return metrics;
    }

    /** Its steps are not those that the job's attempts run now. */
    void leaveOutMetrics() {
        metricsLeftOut = true;
        metrics = List.of();
    }

    /** What it did with entries so far. */
    public Entries entries() {
        return entries;
    }

    /**
     * How many of the elements that loops took of it came from entries. Of one that computes others that is known once all of it
     * is taken; what it made last and nobody took may count until then.
     */
    long fromEntries(long taken) {
        boolean allDid = entries.cachedElements() > 0 && entries.cachedElements() >= elements;
        return allDid ? taken : Math.min(entries.cachedElements(), taken);
    }

    /** What it can make. */
    RateMeter rate() {
        return rate;
    }

    /** Where it runs, once a rate was asked for. */
    Optional<String> worker() {
        return worker;
    }

    void worker(String name) {
        worker = Optional.of(name);
    }

    void beat(Instant at, AttemptProgress told) {
        heard = Optional.of(at);
        unopened = told.getUnopened();
        splitSeconds = told.getSplitSeconds();
        outboxBytes = told.getOutboxBytes();
        finishing = told.getFinishing();
        membership = told.getMembership();
        elements = told.getElements();
        entries = new Entries(told.getCachedElements(), told.getCachedSplits(), told.getStoredSplits());
        told.getMetrics().filter(totals -> !metricsLeftOut).ifPresent(totals -> metrics = List.copyOf(totals));
    }
}
