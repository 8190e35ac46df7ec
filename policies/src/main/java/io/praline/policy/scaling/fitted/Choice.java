package io.praline.policy.scaling.fitted;

import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.ExpectedImprovement.Prospect;
import java.util.Locale;

/**
 * What a job goes to.
 *
 * @param to the target
 * @param why it goes there, in words
 * @param promise what is expected of it, in words
 */
record Choice(Prospect to, String why, String promise) {

    /** Where it is now, it may not stay. */
    static Choice forced(Prospect to, Target now) {
        return new Choice(to, "its limits do not allow " + now, gain(to));
    }

    static Choice better(Prospect to, Target now) {
        return new Choice(to, "a better one than " + now + " is expected", gain(to));
    }

    /** A trial is not made for what is expected of it, which may be a loss. */
    static Choice trial(Prospect to) {
        String hope = String.format(
                Locale.ROOT,
                "and that it is better with a chance of %.0f %%: it hopes for %.1f %%",
                100 * to.confidence(),
                100 * to.hope());
        return new Choice(to, "the model is unsure, and a trial is worth what it may lose", hope);
    }

    private static String gain(Prospect to) {
        return String.format(Locale.ROOT, "%.1f %% %s", 100 * Math.abs(to.gain()), to.gain() < 0 ? "worse" : "better");
    }
}
