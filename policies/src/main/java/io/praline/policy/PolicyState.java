package io.praline.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What policies know of one job. What a policy must remember is here, never in the policy.
 *
 * @param terms what matters to the job
 * @param plan what it reads
 * @param pool the pool as it is now
 * @param wanted workers that the policy last asked for
 * @param granted workers that serve it now
 * @param scaledAt when {@code wanted} last changed; {@link Instant#EPOCH} where it never did
 * @param pinned workers that somebody fixed; empty: the policy decides
 * @param spending what it cost so far
 * @param tenant what its tenant's jobs may cost together, as it was last told
 * @param windows that were steady, oldest first, at most {@value #MOST_WINDOWS}, or of many consumers {@value #ROUNDS} for
 *     each; of more than these have, {@value #MOST_OF_MANY}
 * @param memory of its policy, by name with unit
 */
public record PolicyState(
        Terms terms,
        Plan plan,
        Pool pool,
        Target wanted,
        Target granted,
        Instant scaledAt,
        Optional<Target> pinned,
        Spending spending,
        Tenant tenant,
        List<Observation.WindowClosed> windows,
        SortedMap<String, Double> memory) {
    /** As many as the published policies look back. */
    public static final int MOST_WINDOWS = 20;

    /** So many of each consumer tell a change from noise. */
    static final int ROUNDS = 6;

    /** With these the dispatcher's row of a job stays far below a record's bound. */
    static final int MOST_OF_MANY = 600;

    /** A job of which nothing is known yet. */
    public static final PolicyState UNKNOWN = new PolicyState(
            Terms.USUAL,
            new Plan(0, false),
            new Pool(0, 0),
            Target.NONE,
            Target.NONE,
            Instant.EPOCH,
            Optional.empty(),
            new Spending(0, Instant.EPOCH),
            Tenant.UNBOUNDED,
            List.of(),
            Collections.emptySortedMap());

    public PolicyState {
        windows = List.copyOf(windows);
        memory = Collections.unmodifiableSortedMap(new TreeMap<>(memory));
    }

    /**
     * What a job reads.
     *
     * @param splits in one epoch; 0 until it is planned
     * @param singleTask whether only one task may run at a time
     */
    public record Plan(long splits, boolean singleTask) {
        public Plan {
            if (splits < 0) {
                throw new IllegalArgumentException("splits must not be negative, is " + splits);
            }
        }
    }

    /**
     * The job's pool.
     *
     * @param workers that take new work
     * @param slots of those together
     */
    public record Pool(int workers, int slots) {}

    /**
     * What a job cost:
     *
     * <pre>
     *   amount = time that passed at the price of client and remote workers
     *          + bytes of its windows x remote tasks / all tasks x egressPerGb / 10^9
     * </pre>
     *
     * <p>Bytes are shared by the number of tasks that served a window, since rates are what a policy thinks, and money must
     * not depend on who decides. Where the trainer is the limit, local workers are drained first: then less came from remote
     * ones than this, so that a cap is rather reached too early. Where a remote worker makes more than a local one, it is
     * the other way round.
     *
     * @param amount in the currency of its prices; without egress where windows tell no bytes
     * @param at until when; {@link Instant#EPOCH} before its first observation
     */
    public record Spending(double amount, Instant at) {}

    /**
     * The jobs of one tenant together.
     *
     * @param spent by all of them when it was told
     * @param cap of the tenant; infinite where nobody said
     */
    public record Tenant(double spent, double cap) {
        /** One of which nothing was told. */
        public static final Tenant UNBOUNDED = new Tenant(0, Double.POSITIVE_INFINITY);

        public boolean capReached() {
            return spent >= cap;
        }
    }

    /** Whether it may have no worker any more, as its own cap or its tenant's is spent. */
    public boolean capReached() {
        return spending.amount >= terms.cap() || tenant.capReached();
    }

    public boolean planned() {
        return plan.splits > 0;
    }

    /** What is known once this has been seen. Late and repeated observations are normal. */
    public PolicyState apply(Observation seen) {
        return spent(seen.at()).folded(seen);
    }

    private PolicyState folded(Observation seen) {
        return seen.match(new Observation.Cases<>() {
            @Override
            public PolicyState planned(Observation.Planned planned) {
                return with(new Plan(planned.splits(), planned.singleTask()));
            }

            @Override
            public PolicyState poolChanged(Observation.PoolChanged changed) {
                return with(new Pool(changed.workers(), changed.slots()));
            }

            @Override
            public PolicyState termsSet(Observation.TermsSet set) {
                return with(set.terms());
            }

            @Override
            public PolicyState pinned(Observation.Pinned pin) {
                return withPin(pin.target());
            }

            @Override
            public PolicyState granted(Observation.Granted grant) {
                return withGrant(grant.workers());
            }

            @Override
            public PolicyState rateMeasured(Observation.RateMeasured rate) {
                return PolicyState.this;
            }

            @Override
            public PolicyState windowClosed(Observation.WindowClosed window) {
                PolicyState paid = carried(window);
                return window.straddles() ? paid : paid.with(window);
            }

            @Override
            public PolicyState orderChanged(Observation.OrderChanged order) {
                return withoutWindows(); // they tell of workers that made another number of elements
            }

            @Override
            public PolicyState tenantSpent(Observation.TenantSpent told) {
                return with(new Tenant(told.spent(), told.cap()));
            }

            @Override
            public PolicyState clock(Observation.Clock clock) {
                return PolicyState.this;
            }
        });
    }

    /** What is known once this has been decided. */
    public PolicyState apply(Decision decision) {
        PolicyState state = decision.memory().map(this::withMemory).orElse(this);
        for (Command command : decision.commands()) {
            PolicyState before = state;
            state = command.match(target -> before.withWish(target.workers(), decision.at()));
        }
        return state;
    }

    /** Time passed with the workers that serve it. */
    private PolicyState spent(Instant at) {
        return at.isAfter(spending.at) ? with(new Spending(spentUntil(at), at)) : this;
    }

    /** What it will have cost by then, if nothing happens until then. */
    public double spentUntil(Instant at) {
        if (!at.isAfter(spending.at) || spending.at.equals(Instant.EPOCH)) {
            return spending.amount;
        }
        double seconds = Duration.between(spending.at, at).toMillis() / 1e3;
        return spending.amount + terms.prices().cost(granted, seconds);
    }

    /** Its remote tasks sent their share of what came. */
    private PolicyState carried(Observation.WindowClosed window) {
        int tasks = window.tasks().workers();
        double share = tasks == 0 ? 0 : (double) window.remoteTasks() / tasks;
        double egress = terms.prices().egress(window.bytes() * share);
        return egress == 0 ? this : with(new Spending(spending.amount + egress, spending.at));
    }

    private PolicyState with(Spending now) {
        return new PolicyState(terms, plan, pool, wanted, granted, scaledAt, pinned, now, tenant, windows, memory);
    }

    private PolicyState with(Tenant told) {
        return new PolicyState(terms, plan, pool, wanted, granted, scaledAt, pinned, spending, told, windows, memory);
    }

    private PolicyState with(Terms set) {
        return new PolicyState(set, plan, pool, wanted, granted, scaledAt, pinned, spending, tenant, windows, memory);
    }

    private PolicyState with(Plan planned) {
        return new PolicyState(
                terms, planned, pool, wanted, granted, scaledAt, pinned, spending, tenant, windows, memory);
    }

    private PolicyState with(Pool changed) {
        return new PolicyState(
                terms, plan, changed, wanted, granted, scaledAt, pinned, spending, tenant, windows, memory);
    }

    private PolicyState withPin(Optional<Target> pin) {
        return new PolicyState(terms, plan, pool, wanted, granted, scaledAt, pin, spending, tenant, windows, memory);
    }

    private PolicyState withGrant(Target grant) {
        return new PolicyState(terms, plan, pool, wanted, grant, scaledAt, pinned, spending, tenant, windows, memory);
    }

    private PolicyState with(Observation.WindowClosed window) {
        List<Observation.WindowClosed> last = new ArrayList<>(windows);
        last.add(window);
        List<Observation.WindowClosed> kept = last.subList(Math.max(0, last.size() - most(last)), last.size());
        return new PolicyState(terms, plan, pool, wanted, granted, scaledAt, pinned, spending, tenant, kept, memory);
    }

    private static int most(List<Observation.WindowClosed> windows) {
        if (windows.size() <= MOST_WINDOWS) {
            return MOST_WINDOWS;
        }
        long consumers = windows.stream()
                .mapToInt(Observation.WindowClosed::consumer)
                .distinct()
                .count();
        return (int) Math.max(MOST_WINDOWS, Math.min(MOST_OF_MANY, ROUNDS * consumers));
    }

    private PolicyState withoutWindows() {
        return new PolicyState(
                terms, plan, pool, wanted, granted, scaledAt, pinned, spending, tenant, List.of(), memory);
    }

    private PolicyState withMemory(SortedMap<String, Double> kept) {
        return new PolicyState(terms, plan, pool, wanted, granted, scaledAt, pinned, spending, tenant, windows, kept);
    }

    private PolicyState withWish(Target wish, Instant at) {
        return wish.equals(wanted)
                ? this
                : new PolicyState(terms, plan, pool, wish, granted, at, pinned, spending, tenant, windows, memory);
    }
}
