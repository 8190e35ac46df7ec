package io.praline.identity;

/** Why elements will never be consumed. On topics each stands as its word, so that a newer program may know more of them. */
public enum ExclusionReason {
    /** The user's own filter took them out. */
    FILTER("filter"),
    /** They did not fill the last batch, which the user's pipeline drops. */
    DROP_REMAINDER("drop_remainder"),
    /** Their record could not be processed, and the job tolerates as many. */
    BAD("bad");

    private final String word;

    ExclusionReason(String word) {
        this.word = word;
    }

    /** As it stands in {@link io.praline.schema.Exclusion}. */
    public String word() {
        return word;
    }
}
