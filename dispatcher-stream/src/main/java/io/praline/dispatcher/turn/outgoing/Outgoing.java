package io.praline.dispatcher.turn.outgoing;

import io.praline.schema.CacheStatus;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.PoolStatus;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerCommand;

/** Where a turn's words go: they leave when all of it has succeeded. */
public interface Outgoing {

    void command(WorkerCommand command);

    /** A command that its worker has a use for in some seconds only: it leaves with what others wait for, or within a second. */
    void commandAhead(WorkerCommand command);

    /**
     * What is public about a job has changed.
     *
     * @param urgent whether somebody waits for it, so that it should leave at once
     */
    void status(JobStatus status, boolean urgent);

    /** Nothing is to be told of the job any more. */
    void forgotten(String job);

    /** Nobody is to carry out a target for this subject any more. */
    void nobodys(String subject);

    /** What is public about a pool has changed. */
    void pool(PoolStatus status);

    /** Nobody is in the pool any more. */
    void poolGone(String pool);

    /** What is kept of a prefix has changed. */
    void entries(CacheStatus status);

    /** Nothing is kept any more of what has this key. */
    void entriesGone(String key);

    /** No job reads any more what is known of a pipeline under this key. */
    void graphGone(String key);

    /** What is public about a page of a job's plan has changed. */
    void ledgerPage(LedgerPage page);

    /** Nothing is to be told any more of the page that has this key. */
    void ledgerPageGone(String key);

    void journal(JournalEntry entry);

    void target(ScalingTarget target);

    /** A policy threw, for the first time as far as is known. Whatever follows from that for the job is done and journaled. */
    void broken(String job, String policy, RuntimeException why);

    /**
     * A part of the state could not be gone on with, and was set aside.
     *
     * @param what it is, for people
     */
    void setAside(String what, Throwable why);

    /** Something late, repeated or from a process that another has replaced had no effect. */
    void ignored(Ignored why);
}
