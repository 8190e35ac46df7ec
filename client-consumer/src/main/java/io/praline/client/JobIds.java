package io.praline.client;

import java.security.SecureRandom;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/** Ids for jobs that were given none: when they were submitted, and two bytes by chance. Any thread. */
final class JobIds {
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final SecureRandom random = new SecureRandom();

    String next() {
        byte[] tail = new byte[2];
        random.nextBytes(tail);
        return "job-" + LocalDateTime.now(ZoneId.systemDefault()).format(MOMENT) + "-"
                + HexFormat.of().formatHex(tail);
    }
}
