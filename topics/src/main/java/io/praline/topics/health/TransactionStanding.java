package io.praline.topics.health;

/** What the coordinator of a transaction says of it, while the log still has it open. */
public enum TransactionStanding {
    /** It goes on, or is being ended: it ends by itself, at the latest when its time is over. */
    LIVE,
    /** It was aborted, and its end never reached the partition: it hangs. To abort it there again loses nothing. */
    ABORTED,
    /** It was committed, and its end never reached the partition: it hangs. To abort it there loses what was committed. */
    COMMITTED,
    /** The coordinator does not know any more what became of it: it hangs. What to abort there would lose, nobody can say. */
    FORGOTTEN;

    /** Whether it never ends by itself, and keeps who reads what is committed from going on. */
    public boolean hangs() {
        return this != LIVE;
    }
}
