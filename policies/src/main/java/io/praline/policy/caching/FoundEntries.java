package io.praline.policy.caching;

/**
 * What a job's attempts found where they looked for entries. Stores tell how many there are of a prefix, and not of which
 * contents: those of files that were changed since are counted, and stand in for none of the job's splits.
 *
 * @param cached splits that came from an entry
 * @param stored splits of which one was made
 * @param read splits whose reading began meanwhile, over all epochs
 */
public record FoundEntries(double cached, double stored, double read) {
    /** Of an epoch's splits: with less nothing is said. */
    private static final double ENOUGH = 0.1;

    /** Where that much less is found than is there, the rest is of something else. */
    private static final double OTHERS = 0.5;

    /**
     * The share of a job's splits that have an entry:
     *
     * <pre>
     *   found  = cached / read + stored / splits
     *   share  = found if read &gt;= {@value #ENOUGH} x splits, one at least, and found &lt; {@value #OTHERS} x told;  else told
     * </pre>
     *
     * @param told by how many entries there are
     * @param splits of an epoch
     */
    public double share(double told, long splits) {
        if (read < Math.max(1, ENOUGH * splits)) {
            return told;
        }
        double found = cached / read + stored / splits;
        return found < OTHERS * told ? found : told;
    }
}
