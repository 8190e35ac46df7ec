package io.praline.dispatcher.convert;

import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import io.praline.schema.Submit;
import java.util.Arrays;
import java.util.Locale;

/** What a submission says of money and limits, as policies see it. */
public final class JobTerms {
    /** The schema's "not told". */
    private static final int UNTOLD = -1;

    private JobTerms() {}

    /**
     * The terms; what the submission does not tell is as usual.
     *
     * @param mostRemote workers that the pool may have
     * @throws IllegalArgumentException naming what cannot be
     */
    public static Terms of(Submit submit, int mostRemote) {
        Prices usual = Terms.USUAL.prices();
        Prices prices = new Prices(
                told(submit.getClientPerHour(), usual.clientPerHour()),
                told(submit.getRemotePerHour(), usual.remotePerHour()),
                told(submit.getEgressPerGb(), usual.egressPerGb()));
        int maxRemote = submit.getMaxRemote() == UNTOLD ? mostRemote : Math.min(mostRemote, submit.getMaxRemote());
        double cap = submit.getCap() == 0 ? Terms.USUAL.cap() : submit.getCap();
        return new Terms(goal(submit.getGoal()), prices, new Limits(maxRemote, submit.getMaxLocal()), cap);
    }

    private static double told(double price, double usual) {
        return price == UNTOLD ? usual : price;
    }

    private static Goal goal(String name) {
        if (name.isEmpty()) {
            return Terms.USUAL.goal();
        }
        return Arrays.stream(Goal.values())
                .filter(goal -> goal.name().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "goal must be one of " + Arrays.toString(Goal.values()) + ", is '" + name + "'"));
    }
}
