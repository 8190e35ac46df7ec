package io.praline.worker;

/** A part of the worker died or does not come back, so that the process must end: the message says which, and why. */
public final class WorkerDied extends RuntimeException {
    /** What the process ends with. */
    public static final int EXIT_CODE = 6;

    private static final long serialVersionUID = 1;

    WorkerDied(String why) {
        super(why);
    }
}
