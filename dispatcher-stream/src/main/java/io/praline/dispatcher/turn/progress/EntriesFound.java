package io.praline.dispatcher.turn.progress;

/**
 * What a job's attempts found behind the point at which they read entries. Stores tell how many there are of a prefix, and not of
 * which contents: those of files that were changed since are counted, and stand in for none of the job's splits. In memory only.
 * Owned by the stream thread.
 */
public final class EntriesFound {
    /** Of an epoch's records: with less nothing is said. */
    private static final double ENOUGH = 0.1;

    /** Where that much less is found than is there, it is of something else. */
    private static final double OTHERS = 0.5;

    private String prefix = "";
    private double elements;
    private double cached;
    private double stored;

    /** An attempt that reads entries of this prefix went on. */
    public void told(String of, LastBeat.Entries before, LastBeat.Entries now) {
        if (!of.equals(prefix)) {
            prefix = of;
            elements = 0;
            cached = 0;
            stored = 0;
        }
        elements += now.elements() - before.elements();
        cached += now.cachedElements() - before.cachedElements();
        stored += now.storedSplits() - before.storedSplits();
    }

    /**
     * The share of a job's splits that have an entry.
     *
     * @param told by how many entries there are
     * @param records of an epoch; 0 where nobody knows
     * @param splits of an epoch
     */
    public double share(String of, double told, double records, long splits) {
        if (!of.equals(prefix) || records == 0 || elements < ENOUGH * records) {
            return told;
        }
        double found = cached / elements + stored / (double) splits;
        return found < OTHERS * told ? found : told;
    }
}
