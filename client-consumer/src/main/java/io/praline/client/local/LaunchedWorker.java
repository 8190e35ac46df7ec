package io.praline.client.local;

/** A worker's process. It must end by itself when the process that started it is gone, however that ended. */
public interface LaunchedWorker {
    boolean running();

    /** Asks it to deliver what it has made and to leave; returns at once. */
    void drain();

    /** Ends it as a crash would. */
    void kill();

    /** Why it ended, in a few words. Asked only of one that is not running. */
    String lastWords();
}
