package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.TenantRow;
import io.praline.schema.PoolShare;
import io.praline.schema.PoolStatus;
import io.praline.schema.PoolTenant;
import io.praline.schema.Submit;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of pools. */
class PoolStatusTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            rig.beat(Rig.worker("w1", 2).build());
            rig.pass(Duration.ofSeconds(1));
        }
    }

    private PoolStatus told() {
        return rig.pool("default").orElseThrow();
    }

    @Test
    void aPoolIsToldWithItsWorkersTenantsAndShares() {
        rig.beat(Rig.worker("w1", 2).build());
        rig.beat(Rig.worker("w2", 2).setDraining(true).build());
        rig.submit(
                "job",
                Rig.submit().setTenant("vision").setTenantCap(50).setWeight(3).build());
        rig.pass(Duration.ofSeconds(1));
        PoolStatus told = told();
        assertThat(told.getPresent()).isEqualTo(2);
        assertThat(told.getDraining()).isEqualTo(1);
        assertThat(told.getSlots()).isEqualTo(2);
        assertThat(told.getTenants()).hasSize(1);
        PoolTenant tenant = told.getTenants().get(0);
        assertThat(tenant.getTenant()).isEqualTo("vision");
        assertThat(tenant.getJobs()).isEqualTo(1);
        assertThat(tenant.getCap()).isEqualTo(50);
        PoolShare share = tenant.getShares().get(0);
        assertThat(share.getJob()).isEqualTo("job");
        assertThat(share.getWeight()).isEqualTo(3);
    }

    // a worker costs 1 a second, which is told every 5; who joins is told with the next second
    @Test
    void itIsToldAgainWhenItChangesAndMoneyAloneSeldom() {
        PretendWorker worker = new PretendWorker(rig, "w1", 1, 1_000);
        worker.beat();
        rig.submit("job", withAWorkerAtOneASecond());
        Map<String, PretendWorker> workers = Map.of("w1", worker);
        PretendClient client = new PretendClient(rig, "job", 0, workers);
        rig.seconds(10, workers.values(), client);
        assertThat(told().getTenants()).extracting(PoolTenant::getRemote).containsExactly(1);
        double spent = told().getTenants().get(0).getSpent();
        int before = rig.poolsTold();
        rig.seconds(20, workers.values(), client);
        assertThat(rig.poolsTold() - before).isEqualTo(4);
        assertThat(told().getTenants().get(0).getSpent() - spent).isCloseTo(20, within(0.5));
        rig.beat(Rig.worker("w3", 2).build());
        rig.seconds(1, workers.values(), client);
        assertThat(told().getPresent()).isEqualTo(2);
    }

    private static Submit withAWorkerAtOneASecond() {
        return Rig.submit()
                .setTenant("vision")
                .setClientPerHour(0)
                .setRemotePerHour(3600)
                .setPolicy("fixed")
                .setPolicySettings(Map.of("remote", "1", "local", "0"))
                .build();
    }

    // one a second, as above
    @Test
    void aJobsStatusTellsWhatItHasCostUntilItsEnd() {
        PretendWorker worker = new PretendWorker(rig, "w1", 1, 1_000);
        worker.beat();
        rig.submit("job", withAWorkerAtOneASecond());
        Map<String, PretendWorker> workers = Map.of("w1", worker);
        PretendClient client = new PretendClient(rig, "job", 0, workers);
        rig.seconds(10, workers.values(), client);
        double spent = spent().orElseThrow();
        rig.seconds(20, workers.values(), client);
        assertThat(spent().orElseThrow() - spent).isCloseTo(20, within(1.5));
        rig.cancel("job", "enough");
        double whole = spent().orElseThrow();
        rig.pass(Duration.ofSeconds(20));
        rig.cancel("job", "asked again");
        assertThat(spent()).contains(whole);
        // its policy's state is not kept behind its end
        rig.restart();
        rig.cancel("job", "asked again");
        assertThat(spent()).isEmpty();
    }

    private Optional<Double> spent() {
        return rig.status("job").getSpent();
    }

    // a record has an end: 4,100 tenants that have spent something, of which the one that spent least has a job
    @Test
    void ofVeryManyTenantsThoseWithJobsAndThoseThatSpentMostAreTold() {
        Ledger rows = new Ledger(rig.rows());
        for (int tenant = 0; tenant < 4_100; tenant++) {
            rows.saveTenant(Rig.POOL, "t" + tenant, TenantRow.NEW.plus(1 + tenant));
        }
        rig.restart();
        rig.submit("job", Rig.submit().setTenant("t0").build());
        pass(1);
        assertThat(told().getTenants())
                .hasSize(4_000)
                .extracting(PoolTenant::getTenant)
                .contains("t0", "t4099")
                .doesNotContain("t1", "t100");
    }

    @Test
    void whoTakesOverTellsItAgainAndAPoolThatIsDesertedIsGone() {
        rig.beat(Rig.worker("w1", 2).build());
        rig.beat("other", Rig.worker("w9", 1).build());
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.pool("other")).isPresent();
        int before = rig.poolsTold();
        rig.restart();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.poolsTold() - before).isEqualTo(2);
        pass(30);
        assertThat(rig.pool("other")).isEmpty();
        assertThat(rig.pool("default")).isPresent();
    }
}
