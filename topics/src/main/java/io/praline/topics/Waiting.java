package io.praline.topics;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * What to say while something is waited for, and when: after five seconds, then once a minute, and when the wait is over.
 * One thread at a time.
 */
public final class Waiting {
    /** Whoever waits longer says so. */
    public static final Duration SAID_AFTER = Duration.ofSeconds(5);

    private static final Duration SAID_AGAIN = Duration.ofMinutes(1);
    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private final ZoneId zone;
    private boolean waits;
    private String what = "";
    private Duration longest = Duration.ZERO;
    private Duration said = Duration.ZERO;

    /** @param zone in which moments are told */
    public Waiting(ZoneId zone) {
        this.zone = zone;
    }

    /**
     * Takes how it stands; gives the line to say now.
     *
     * @param forWhat it is waited for, such as {@code Kafka at kafka:9092}
     * @param time for how long already; zero where nothing is waited for
     */
    public Optional<String> look(String forWhat, Duration time, Instant now) {
        if (time.compareTo(SAID_AFTER) < 0) {
            return over();
        }
        boolean news = !waits || !what.equals(forWhat) || time.minus(said).compareTo(SAID_AGAIN) >= 0;
        waits = true;
        what = forWhat;
        longest = time;
        if (!news) {
            return Optional.empty();
        }
        said = time;
        return Optional.of("waiting for " + forWhat + " since "
                + MOMENT.format(now.minus(time).atZone(zone)) + " (" + time.toSeconds() + " s)");
    }

    private Optional<String> over() {
        if (!waits) {
            return Optional.empty();
        }
        waits = false;
        said = Duration.ZERO;
        return Optional.of(what + " is there again, after " + longest.toSeconds() + " s");
    }
}
