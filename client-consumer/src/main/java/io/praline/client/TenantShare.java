package io.praline.client;

import io.praline.topics.Agreements;
import java.util.OptionalDouble;

/**
 * Whose job it is.
 *
 * @param weight its weight when workers are too few; 1 is usual
 * @param tenantCap the most that all jobs of the tenant may spend together from now on, those that have ended included;
 *     infinite: as much as they like; empty: what was said before holds
 */
public record TenantShare(String tenant, double weight, OptionalDouble tenantCap) {
    public TenantShare {
        tenantCap.ifPresent(most -> {
            if (!(most > 0)) {
                throw new IllegalArgumentException("the tenant's cap must be above 0, is " + most);
            }
        });
        Agreements.requireName("tenant", tenant);
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new IllegalArgumentException("weight must be above 0 and finite, is " + weight);
        }
    }
}
