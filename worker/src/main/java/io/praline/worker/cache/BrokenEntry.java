package io.praline.worker.cache;

import java.io.IOException;

/** A file that is no entry, or not whole any more. */
public final class BrokenEntry extends IOException {
    private static final long serialVersionUID = 1;

    BrokenEntry(String message) {
        super(message);
    }
}
