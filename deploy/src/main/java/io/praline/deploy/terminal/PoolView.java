package io.praline.deploy.terminal;

import io.praline.policy.Counted;
import io.praline.schema.PoolShare;
import io.praline.schema.PoolStatus;
import io.praline.schema.PoolTenant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a pool has and should have, as lines for people and as an object for programs. */
public record PoolView(PoolStatus status) {

    /** The pool, then a line for each tenant and each of its jobs. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s: %s wanted%s, %s there%s, with %s",
                status.getPool(),
                Counted.of(status.getWanted(), "worker is", "workers are"),
                status.getMost() == 0 ? "" : " (" + status.getMost() + " at most)",
                Counted.of(status.getPresent(), "is", "are"),
                status.getDraining() == 0 ? "" : " (" + status.getDraining() + " about to leave)",
                Counted.of(status.getSlots(), "slot")));
        for (PoolTenant tenant : status.getTenants()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  tenant %s: %s on %d remote and %d local workers; spent %.4f%s",
                    tenant.getTenant(),
                    Counted.of(tenant.getJobs(), "job"),
                    tenant.getRemote(),
                    tenant.getLocal(),
                    tenant.getSpent(),
                    tenant.getCap() == 0 ? "" : String.format(Locale.ROOT, " of %.4f", tenant.getCap())));
            for (PoolShare share : tenant.getShares()) {
                lines.add(String.format(
                        Locale.ROOT,
                        "    %s: %d of %d remote, %d of %d local workers; weight %s",
                        share.getJob(),
                        share.getRemote(),
                        share.getWantedRemote(),
                        share.getLocal(),
                        share.getWantedLocal(),
                        share.getWeight()));
            }
            int untold = tenant.getJobs() - tenant.getShares().size();
            if (untold > 0) {
                lines.add("    and " + untold + " more");
            }
        }
        return lines;
    }

    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("pool", status.getPool());
        object.put("wanted", status.getWanted());
        object.put("most", status.getMost() == 0 ? null : status.getMost());
        object.put("present", status.getPresent());
        object.put("draining", status.getDraining());
        object.put("slots", status.getSlots());
        object.put("tenants", status.getTenants().stream().map(PoolView::tenant).toList());
        object.put("changedAtMillis", status.getChangedAtMillis());
        return object;
    }

    private static Map<String, Object> tenant(PoolTenant tenant) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("tenant", tenant.getTenant());
        object.put("open", tenant.getJobs());
        object.put("jobs", tenant.getShares().stream().map(PoolShare::getJob).toList());
        object.put("remote", tenant.getRemote());
        object.put("local", tenant.getLocal());
        object.put("spent", tenant.getSpent());
        object.put("cap", tenant.getCap() == 0 ? null : tenant.getCap());
        object.put("shares", tenant.getShares().stream().map(PoolView::share).toList());
        return object;
    }

    private static Map<String, Object> share(PoolShare share) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", share.getJob());
        object.put("weight", share.getWeight());
        object.put("wantedRemote", share.getWantedRemote());
        object.put("remote", share.getRemote());
        object.put("wantedLocal", share.getWantedLocal());
        object.put("local", share.getLocal());
        return object;
    }
}
