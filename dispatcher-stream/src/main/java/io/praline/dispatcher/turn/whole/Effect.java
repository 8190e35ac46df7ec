package io.praline.dispatcher.turn.whole;

import io.praline.dispatcher.ledger.row.BufferedRows;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.schema.CacheStatus;
import io.praline.schema.CacheTargets;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.PoolStatus;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerCommand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** All that the taking of one event brings about: rows, words and what is counted. Owned by the stream thread. */
public final class Effect implements Outgoing {
    private final BufferedRows rows;
    private final List<WorkerCommand> commands = new ArrayList<>();
    private final List<JobStatus> statuses = new ArrayList<>();
    private final List<String> forgotten = new ArrayList<>();
    private final List<String> nobodys = new ArrayList<>();
    private final List<PoolStatus> pools = new ArrayList<>();
    private final List<String> poolsGone = new ArrayList<>();
    private final List<CacheStatus> entries = new ArrayList<>();
    private final List<String> entriesGone = new ArrayList<>();
    private final List<String> graphsGone = new ArrayList<>();
    private final List<LedgerPage> ledgerPages = new ArrayList<>();
    private final List<String> ledgerPagesGone = new ArrayList<>();
    private final List<JournalEntry> journal = new ArrayList<>();
    private final List<ScalingTarget> targets = new ArrayList<>();
    private final List<Broken> broken = new ArrayList<>();
    private final List<SetAside> setAside = new ArrayList<>();
    private final List<Ignored> ignored = new ArrayList<>();
    private boolean urgent;

    Effect(BufferedRows rows) {
        this.rows = rows;
    }

    /** A policy threw, as {@link Outgoing#broken} has it. */
    public record Broken(String job, String policy, RuntimeException why) {}

    /** As {@link Outgoing#setAside} has it. */
    public record SetAside(String what, Throwable why) {}

    @Override
    public void command(WorkerCommand command) {
        commands.add(command);
        // a worker waits for all of them but these
        urgent |= !(command.getBody() instanceof ConfirmFacts || command.getBody() instanceof CacheTargets);
    }

    @Override
    public void commandAhead(WorkerCommand command) {
        commands.add(command);
    }

    @Override
    public void status(JobStatus status, boolean somebodyWaits) {
        statuses.add(status);
        urgent |= somebodyWaits;
    }

    @Override
    public void forgotten(String job) {
        forgotten.add(job);
    }

    @Override
    public void nobodys(String subject) {
        nobodys.add(subject);
    }

    @Override
    public void pool(PoolStatus status) {
        pools.add(status);
    }

    @Override
    public void poolGone(String pool) {
        poolsGone.add(pool);
    }

    @Override
    public void entries(CacheStatus status) {
        entries.add(status);
    }

    @Override
    public void entriesGone(String key) {
        entriesGone.add(key);
    }

    @Override
    public void graphGone(String key) {
        graphsGone.add(key);
    }

    @Override
    public void ledgerPage(LedgerPage page) {
        ledgerPages.add(page);
    }

    @Override
    public void ledgerPageGone(String key) {
        ledgerPagesGone.add(key);
    }

    @Override
    public void journal(JournalEntry entry) {
        journal.add(entry);
    }

    @Override
    public void target(ScalingTarget target) {
        targets.add(target);
        urgent = true;
    }

    @Override
    public void broken(String job, String policy, RuntimeException why) {
        broken.add(new Broken(job, policy, why));
    }

    @Override
    public void setAside(String what, Throwable why) {
        setAside.add(new SetAside(what, why));
    }

    @Override
    public void ignored(Ignored why) {
        ignored.add(why);
    }

    public List<WorkerCommand> commands() {
        return Collections.unmodifiableList(commands);
    }

    public List<JobStatus> statuses() {
        return Collections.unmodifiableList(statuses);
    }

    /** Jobs of which nothing is told any more. */
    public List<String> forgotten() {
        return Collections.unmodifiableList(forgotten);
    }

    /** Subjects for which nobody is to carry out a target any more. */
    public List<String> nobodys() {
        return Collections.unmodifiableList(nobodys);
    }

    /** Keys of what is known of pipelines that no job has any more. */
    public List<String> graphsGone() {
        return Collections.unmodifiableList(graphsGone);
    }

    public List<PoolStatus> pools() {
        return Collections.unmodifiableList(pools);
    }

    /** Pools in which nobody is any more. */
    public List<String> poolsGone() {
        return Collections.unmodifiableList(poolsGone);
    }

    /** What is kept now of prefixes of which something else was kept. */
    public List<CacheStatus> entries() {
        return Collections.unmodifiableList(entries);
    }

    /** Keys of prefixes of which nothing is kept any more. */
    public List<String> entriesGone() {
        return Collections.unmodifiableList(entriesGone);
    }

    public List<LedgerPage> ledgerPages() {
        return Collections.unmodifiableList(ledgerPages);
    }

    /** Keys of pages of plans of which nothing is told any more. */
    public List<String> ledgerPagesGone() {
        return Collections.unmodifiableList(ledgerPagesGone);
    }

    public List<JournalEntry> journal() {
        return Collections.unmodifiableList(journal);
    }

    public List<ScalingTarget> targets() {
        return Collections.unmodifiableList(targets);
    }

    public List<Broken> broken() {
        return Collections.unmodifiableList(broken);
    }

    public List<SetAside> setAside() {
        return Collections.unmodifiableList(setAside);
    }

    public List<Ignored> ignored() {
        return Collections.unmodifiableList(ignored);
    }

    /** Whether somebody waits for it, so that it should leave at once. */
    public boolean urgent() {
        return urgent;
    }

    /**
     * Writes the rows to their store.
     *
     * @param most bytes of one row; where one is larger nothing is written, and it is thrown whose it is
     */
    public void writeRows(int most) {
        Optional<BufferedRows.Large> large = rows.largerThan(most);
        if (large.isPresent()) {
            throw new JobFault(
                    large.get().owner(),
                    new IllegalStateException(
                            "a row of it takes " + large.get().bytes() + " bytes, more than " + most));
        }
        rows.write();
    }

    /** Nothing of it is left. */
    void clear() {
        rows.drop();
        commands.clear();
        statuses.clear();
        forgotten.clear();
        nobodys.clear();
        pools.clear();
        poolsGone.clear();
        entries.clear();
        entriesGone.clear();
        graphsGone.clear();
        ledgerPages.clear();
        ledgerPagesGone.clear();
        journal.clear();
        targets.clear();
        broken.clear();
        setAside.clear();
        ignored.clear();
        urgent = false;
    }
}
