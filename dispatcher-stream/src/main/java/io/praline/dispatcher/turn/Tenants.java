package io.praline.dispatcher.turn;

import io.praline.dispatcher.ledger.TenantRow;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.policy.Observation;
import io.praline.schema.Submit;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What tenants may spend, and have spent:
 *
 * <pre>
 *   spent = what its ended jobs cost + what its open jobs cost until now
 * </pre>
 *
 * A job whose tenant has spent its cap is told so, and told again when the cap was raised; what follows is its policy's.
 */
final class Tenants {
    private final JobTurn jobTurn;

    Tenants(JobTurn jobTurn) {
        this.jobTurn = jobTurn;
    }

    /** A job came, and may say what its tenant may spend from now on. */
    void submitted(Pool pool, Submit submit, Instant at) {
        if (submit.getTenantCap() != 0) {
            pool.tenant(submit.getTenant(), pool.tenant(submit.getTenant()).withCap(submit.getTenantCap()));
        }
        look(pool, at);
    }

    /** What a job spent that is over stays spent. */
    void ended(Pool pool, Job job, Instant at) {
        double spent = job.leading().state().spentUntil(at);
        if (spent > 0) {
            String tenant = job.submit().getTenant();
            pool.tenant(tenant, pool.tenant(tenant).plus(spent));
        }
    }

    /** Tells the jobs of tenants that have just spent their cap, or may spend again. */
    void look(Pool pool, Instant at) {
        boolean nothing = pool.tenants().values().stream().noneMatch(TenantRow::capped)
                && pool.open().stream().noneMatch(Tenants::told);
        if (nothing) {
            return;
        }
        Map<String, Double> spent = new TreeMap<>();
        for (Job job : pool.open()) {
            spent.merge(job.submit().getTenant(), job.leading().state().spentUntil(at), Double::sum);
        }
        for (Job job : pool.open()) {
            String tenant = job.submit().getTenant();
            TenantRow row = pool.tenant(tenant);
            double all = row.spentByEnded() + spent.get(tenant);
            if (told(job) != all >= row.cap()) {
                JobFault.in(job.id(), () -> jobTurn.take(pool, job, new Observation.TenantSpent(at, all, row.cap())));
                pool.due(TurnCause.TENANT_SPENT);
            }
        }
    }

    /** Whether the job knows that its tenant may spend no more. */
    private static boolean told(Job job) {
        return job.leading().state().tenant().capReached();
    }
}
