package io.praline.client;

import java.security.SecureRandom;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Ids for jobs that were given none: when they were submitted, and by chance. Two that got the same one would be one job, of
 * which each has a part: hundreds that start in the same second, as in a search of parameters, must not. Any thread.
 */
final class JobIds {
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    /** Of a thousand in a second two get the same one once in eight thousand times. */
    private static final int CHANCE_BYTES = 4;

    private final SecureRandom random = new SecureRandom();

    String next() {
        byte[] tail = new byte[CHANCE_BYTES];
        random.nextBytes(tail);
        return "job-" + LocalDateTime.now(ZoneId.systemDefault()).format(MOMENT) + "-"
                + HexFormat.of().formatHex(tail);
    }
}
