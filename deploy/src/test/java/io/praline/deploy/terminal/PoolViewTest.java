package io.praline.deploy.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.PoolStatus;
import io.praline.schema.PoolTenant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolViewTest {
    private static List<String> lines(int each) {
        PoolTenant tenant = new PoolTenant("me", each, each, each, 0.0, 0.0, List.of());
        return new PoolView(PoolStatus.newBuilder()
                        .setPool("default")
                        .setWanted(each)
                        .setMost(0)
                        .setPresent(each)
                        .setDraining(0)
                        .setSlots(each)
                        .setChangedAtMillis(0)
                        .setTenants(List.of(tenant))
                        .build())
                .lines();
    }

    @Test
    void oneIsOneAndSeveralAreSeveral() {
        assertThat(lines(1).get(0)).isEqualTo("default: 1 worker is wanted, 1 is there, with 1 slot");
        assertThat(lines(1).get(1)).startsWith("  tenant me: 1 job on 1 remote and 1 local workers");
        assertThat(lines(2).get(0)).isEqualTo("default: 2 workers are wanted, 2 are there, with 2 slots");
    }
}
