package io.praline.deploy.terminal;

import io.praline.schema.CacheStatus;
import io.praline.topics.Agreements;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is kept of a prefix, as a line for people and as an object for programs. */
public record KeptView(CacheStatus status) {
    /** So much of a digest tells it from all others that anybody has. */
    private static final int SHOWN = 12;

    private static final String ROW = "%-12s  %8s  %10s  %10s  %-20s  %-6s  %s";

    public static String header() {
        return String.format(Locale.ROOT, ROW, "prefix", "entries", "MB", "s saved", "last use", "pinned", "steps");
    }

    public String row() {
        String prefix = status.getPrefix();
        return String.format(
                Locale.ROOT,
                ROW,
                prefix.substring(0, Math.min(SHOWN, prefix.length())),
                status.getEntries(),
                String.format(Locale.ROOT, "%.1f", status.getBytes() / 1e6),
                String.format(Locale.ROOT, "%.1f", status.getSecondsSaved()),
                status.getLastUseMillis() == 0
                        ? "never"
                        : Instant.ofEpochMilli(status.getLastUseMillis() / 1000 * 1000),
                status.getPinned() ? "yes" : "no",
                status.getSteps()
                        + (status.getTenant().equals(Agreements.USUAL_TENANT) ? "" : ", of " + status.getTenant()));
    }

    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("prefix", status.getPrefix());
        object.put("steps", status.getSteps());
        object.put("entries", status.getEntries());
        object.put("bytes", status.getBytes());
        object.put("secondsSaved", status.getSecondsSaved());
        object.put("lastUse", status.getLastUseMillis());
        object.put("pinned", status.getPinned());
        object.put("tenant", status.getTenant());
        object.put("pool", status.getPool());
        object.put("stores", List.copyOf(status.getStores()));
        return object;
    }
}
