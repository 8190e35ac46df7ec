package io.praline.worker.storage;

/** A store does not give what was asked of it. The message is one line: what is wrong, where, what to do next. */
public final class StoreFailed extends RuntimeException {
    /** What may help. */
    public enum Kind {
        /** Name, credentials, bucket or region are wrong, or it is not there: asking again is of no use. */
        REFUSED,
        /** The content is not the one that was planned: likewise. */
        CHANGED,
        /** Nobody answers under the endpoint. */
        UNREACHABLE,
        /** It asks to be asked less, is broken for now, or breaks off. */
        BUSY;

        /** Whether the same question may be answered later. */
        public boolean passing() {
            return this == UNREACHABLE || this == BUSY;
        }
    }

    private final Kind kind;

    public StoreFailed(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public StoreFailed(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public static StoreFailed changed(String name, FileVersion planned, FileVersion.Told found) {
        return new StoreFailed(
                Kind.CHANGED,
                name + " was changed since the job was planned (" + planned + "; now " + found.version()
                        + "); submit the job again, and let its data be while it runs");
    }

    public Kind kind() {
        return kind;
    }
}
