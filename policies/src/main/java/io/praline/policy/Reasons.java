package io.praline.policy;

/** Why nothing is decided, where several policies say the same: people compare what they say of one job. */
public final class Reasons {
    public static final String UNPLANNED = "its splits are not known yet";

    /** Where a policy goes by what was measured. */
    public static final String NO_WINDOW = "only a closed window tells it something";

    public static final String STRADDLES = "the workers changed while this window was measured";

    /** Where it goes by what was measured since it began. */
    public static final String MEASURED_BEFORE = "this window was measured before it began";

    /** Behind a comparison of two batch times. */
    public static final String IMPOSSIBLE = "that cannot be";

    public static final String NOTHING_TO_COMPARE = "nothing else was measured lately";

    private Reasons() {}

    /**
     * That a window says nothing of what was decided.
     *
     * @param served what it was measured with
     */
    public static String waiting(Target wanted, Target served) {
        return "it waits for " + wanted + ": this window was served by " + served;
    }
}
