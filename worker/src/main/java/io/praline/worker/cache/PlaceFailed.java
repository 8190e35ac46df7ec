package io.praline.worker.cache;

import java.io.IOException;

/** It is not one entry that is at fault: none can be read or written for now. The message is one line. */
final class PlaceFailed extends IOException {
    private static final long serialVersionUID = 1;

    PlaceFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
