package io.praline.client.pipeline;

import java.util.Locale;

/** A pipeline's file that cannot be taken: one line with the file, the line in it, and what would be right. */
public final class RefusedPipelineFile extends RuntimeException {

    RefusedPipelineFile(String file, int line, String reason) {
        super(String.format(Locale.ROOT, "%s line %d: %s", file, line, reason));
    }

    RefusedPipelineFile(String file, int line, String reason, Throwable cause) {
        super(String.format(Locale.ROOT, "%s line %d: %s", file, line, reason), cause);
    }
}
