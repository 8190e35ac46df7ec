package io.praline.policy.scaling;

import io.praline.policy.Command;
import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Reasons;
import io.praline.policy.Target;
import io.praline.policy.Terms.Limits;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What holds for every policy, whatever it decides; the first that applies:
 *
 * <pre>
 *   no plan yet            nothing is decided
 *   spent &gt;= cap           no worker, pinned or not                      both in the currency of the prices
 *   the same of its tenant  the same
 *   pinned                 the pin decides; the policy is not asked, and remembers what it did
 *   else                   what the policy decides
 * </pre>
 *
 * <p>Pins and policies are cut to the limits of the terms, and to one worker where only one task may run. Where the cut
 * leaves none of the workers wanted, one of the kind that is allowed remains: nobody could serve the job otherwise.
 *
 * <p>It goes by the policy's name and parameters, which is all that a journal needs to run it again.
 *
 * @param policy that decides within these bounds
 */
public record Bounded(Policy policy) implements Policy {

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

    /** A pin asks for workers by number, whatever the policy lives on. */
    @Override
    public boolean elastic(PolicyState state) {
        return state.pinned().isPresent() || policy.elastic(state);
    }

    @Override
    public Decision decide(PolicyState state, Observation seen) {
        if (!state.planned()) {
            return Decision.nothing(seen.at(), Reasons.UNPLANNED);
        }
        double spent = state.spending().amount();
        double cap = state.terms().cap();
        if (spent >= cap) {
            String reason = String.format(
                    Locale.ROOT, "it has spent %.4f, its cap is %.4f: it may have no worker any more", spent, cap);
            SortedMap<String, Double> numbers = new TreeMap<>();
            numbers.put("spent", spent);
            numbers.put("cap", cap);
            return target(state, seen, Target.NONE, reason).with(numbers);
        }
        if (state.tenant().capReached()) {
            double all = state.tenant().spent();
            double most = state.tenant().cap();
            String reason = String.format(
                    Locale.ROOT,
                    "its tenant's jobs have spent %.4f together, the tenant's cap is %.4f: it may have no worker any more",
                    all,
                    most);
            SortedMap<String, Double> numbers = new TreeMap<>();
            numbers.put("tenantSpent", all);
            numbers.put("tenantCap", most);
            return target(state, seen, Target.NONE, reason).with(numbers);
        }
        if (state.pinned().isPresent()) {
            Target pin = state.pinned().get();
            Target bounded = bounded(state, pin);
            return target(state, seen, bounded, "somebody pinned it to " + pin + cut(state, pin, bounded));
        }
        Decision inner = policy.decide(state, seen);
        Target wanted = state.wanted();
        for (Command command : inner.commands()) {
            wanted = command.match(ScaleTo::workers);
        }
        Target bounded = bounded(state, wanted);
        String reason = inner.reason() + cut(state, wanted, bounded);
        List<Command> commands = bounded.equals(state.wanted()) ? List.of() : List.of(new ScaleTo(bounded));
        return new Decision(inner.at(), commands, reason, inner.numbers(), inner.memory());
    }

    private static Decision target(PolicyState state, Observation seen, Target target, String reason) {
        return target.equals(state.wanted())
                ? Decision.nothing(seen.at(), reason)
                : Decision.of(seen.at(), new ScaleTo(target), reason);
    }

    private static Target bounded(PolicyState state, Target wanted) {
        Limits limits = state.terms().limits();
        Target cut = limits.cut(wanted);
        if (cut.workers() == 0 && wanted.workers() > 0) {
            return limits.maxRemote() > 0 ? new Target(1, 0) : new Target(0, 1);
        }
        if (state.plan().singleTask() && cut.workers() > 1) {
            return cut.remote() > 0 ? new Target(1, 0) : new Target(0, 1);
        }
        return cut;
    }

    private static String cut(PolicyState state, Target wanted, Target bounded) {
        if (bounded.equals(wanted)) {
            return "";
        }
        Limits limits = state.terms().limits();
        String why = limits.cut(wanted).equals(bounded)
                ? "its limits allow " + new Target(limits.maxRemote(), limits.maxLocal())
                : "only " + bounded + " may serve it";
        return "; " + why;
    }
}
