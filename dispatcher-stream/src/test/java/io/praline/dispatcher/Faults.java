package io.praline.dispatcher;

import io.praline.dispatcher.ledger.row.Rows;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.schema.CacheStatus;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.PoolStatus;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerCommand;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Throws at one of the calls that a turn makes: of its rows, of what it says, of policies, and of what writes its effect. */
final class Faults {
    private int left;
    private int breaksAt;
    private int breaks;
    private int broken;
    private byte[] breaksAtKey = {};
    private int puts;
    private Predicate<Object> breaksAtWord = word -> false;

    /** No policy's fault, so that nobody takes it for one. */
    static final class Stumble extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Throws at this call, counted from 1, from now on; 0: at none. */
    void at(int call) {
        left = call;
    }

    /** Whether the call was made since. */
    boolean happened() {
        return left == 0;
    }

    /** Something breaks at this call, counted from 1, as code with a mistake would, and at that of so many takes in all. */
    void breakAt(int call, int times) {
        breaksAt = call;
        breaks = times;
        broken = call;
    }

    /** Something breaks when this row is written, so many times. */
    void breakAtPut(byte[] key, int times) {
        breaksAtKey = key.clone();
        puts = times;
    }

    /** Something breaks whenever such a thing is said of a pool, until others are named. */
    void breakAtWord(Predicate<Object> word) {
        breaksAtWord = word;
    }

    private void call(Object word) {
        call();
        if (breaksAtWord.test(word)) {
            throw new IllegalStateException("broken");
        }
    }

    void call() {
        if (left > 0 && --left == 0) {
            throw new Stumble();
        }
        if (breaks > 0 && --broken == 0) {
            broken = breaksAt;
            breaks--;
            throw new IllegalStateException("broken");
        }
    }

    Rows rows(Rows rows) {
        return new Rows() {
            @Override
            public byte[] get(byte[] key) {
                call();
                return rows.get(key);
            }

            @Override
            public void put(byte[] key, byte[] value) {
                call();
                if (puts > 0 && Arrays.equals(key, breaksAtKey)) {
                    puts--;
                    throw new IllegalStateException("broken");
                }
                rows.put(key, value);
            }

            @Override
            public void delete(byte[] key) {
                call();
                rows.delete(key);
            }

            @Override
            public void each(byte[] prefix, BiConsumer<byte[], byte[]> row) {
                call();
                rows.each(prefix, row);
            }
        };
    }

    Outgoing outgoing(Outgoing out) {
        return new Outgoing() {
            @Override
            public void command(WorkerCommand command) {
                call();
                out.command(command);
            }

            @Override
            public void commandAhead(WorkerCommand command) {
                call();
                out.commandAhead(command);
            }

            @Override
            public void status(JobStatus status, boolean urgent) {
                call();
                out.status(status, urgent);
            }

            @Override
            public void forgotten(String job) {
                call();
                out.forgotten(job);
            }

            @Override
            public void nobodys(String subject) {
                call();
                out.nobodys(subject);
            }

            @Override
            public void pool(PoolStatus status) {
                call(status);
                out.pool(status);
            }

            @Override
            public void poolGone(String pool) {
                call();
                out.poolGone(pool);
            }

            @Override
            public void entries(CacheStatus status) {
                call();
                out.entries(status);
            }

            @Override
            public void entriesGone(String key) {
                call();
                out.entriesGone(key);
            }

            @Override
            public void graphGone(String key) {
                call();
                out.graphGone(key);
            }

            @Override
            public void ledgerPage(LedgerPage page) {
                call();
                out.ledgerPage(page);
            }

            @Override
            public void ledgerPageGone(String key) {
                call();
                out.ledgerPageGone(key);
            }

            @Override
            public void journal(JournalEntry entry) {
                call();
                out.journal(entry);
            }

            @Override
            public void target(ScalingTarget target) {
                call(target);
                out.target(target);
            }

            @Override
            public void broken(String job, String policy, RuntimeException why) {
                call();
                out.broken(job, policy, why);
            }

            @Override
            public void setAside(String what, Throwable why) {
                call();
                out.setAside(what, why);
            }

            @Override
            public void ignored(Ignored why) {
                call();
                out.ignored(why);
            }
        };
    }

    /** The same rules, whose policies may throw. */
    Rules rules(Rules rules) {
        return new Rules(
                rules.policy(),
                (name, settings) -> policy(rules.policies().named(name, settings)),
                rules.division(),
                rules.poolSize(),
                rules.limits());
    }

    private Policy policy(Policy policy) {
        return new Policy() {
            @Override
            public String name() {
                return policy.name();
            }

            @Override
            public int version() {
                return policy.version();
            }

            @Override
            public SortedMap<String, String> parameters() {
                return policy.parameters();
            }

            @Override
            public boolean elastic(PolicyState state) {
                call();
                return policy.elastic(state);
            }

            @Override
            public Decision decide(PolicyState state, Observation seen) {
                call();
                return policy.decide(state, seen);
            }
        };
    }
}
