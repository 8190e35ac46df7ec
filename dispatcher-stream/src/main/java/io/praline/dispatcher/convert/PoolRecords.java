package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.TenantRow;
import io.praline.policy.Target;
import io.praline.schema.PoolShare;
import io.praline.schema.PoolStatus;
import io.praline.schema.PoolTenant;
import io.praline.schema.Submit;
import java.time.Instant;
import java.util.List;

/** All that is public about a pool. */
public final class PoolRecords {
    private PoolRecords() {}

    /**
     * How large a pool is.
     *
     * @param wanted workers that it was last said to need
     * @param most that whoever starts them will start; 0: nobody told
     * @param present workers that live, but for those on trainers' hosts
     * @param draining how many of them are about to leave
     * @param slots of those that are not
     */
    public record Size(int wanted, int most, int present, int draining, int slots) {}

    /** The pool as it is now. */
    public static PoolStatus status(String pool, Size size, List<PoolTenant> tenants, Instant at) {
        return PoolStatus.newBuilder()
                .setPool(pool)
                .setWanted(size.wanted())
                .setMost(size.most())
                .setPresent(size.present())
                .setDraining(size.draining())
                .setSlots(size.slots())
                .setTenants(tenants)
                .setChangedAtMillis(at.toEpochMilli())
                .build();
    }

    /**
     * What a tenant has of it.
     *
     * @param spent by all of its jobs
     * @param all of its jobs that go on, by id
     * @param most of them that are told one by one
     */
    public static PoolTenant tenant(String name, TenantRow row, double spent, List<PoolShare> all, int most) {
        return PoolTenant.newBuilder()
                .setTenant(name)
                .setJobs(all.size())
                .setRemote(all.stream().mapToInt(PoolShare::getRemote).sum())
                .setLocal(all.stream().mapToInt(PoolShare::getLocal).sum())
                .setSpent(spent)
                .setCap(row.capped() ? row.cap() : 0)
                .setShares(List.copyOf(all.subList(0, Math.min(most, all.size()))))
                .build();
    }

    /** What a job has, and what is wanted for it. */
    public static PoolShare share(JobOutline job, Target wanted, Target has) {
        Submit submit = job.submit();
        return PoolShare.newBuilder()
                .setJob(job.id())
                .setWeight(submit.getWeight())
                .setWantedRemote(wanted.remote())
                .setRemote(has.remote())
                .setWantedLocal(wanted.local())
                .setLocal(has.local())
                .build();
    }

    /** Whether they tell the same, whenever each was written; the money in them may be another. */
    public static boolean alikeButForMoney(PoolStatus one, PoolStatus other) {
        return moneyless(one).equals(moneyless(other));
    }

    /** Whether they tell the same, whenever each was written. */
    public static boolean alike(PoolStatus one, PoolStatus other) {
        return timeless(one).equals(timeless(other));
    }

    private static PoolStatus timeless(PoolStatus status) {
        return PoolStatus.newBuilder(status).setChangedAtMillis(0).build();
    }

    private static PoolStatus moneyless(PoolStatus status) {
        return PoolStatus.newBuilder(timeless(status))
                .setTenants(status.getTenants().stream()
                        .map(tenant -> PoolTenant.newBuilder(tenant).setSpent(0).build())
                        .toList())
                .build();
    }
}
