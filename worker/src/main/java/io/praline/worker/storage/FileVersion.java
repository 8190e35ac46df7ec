package io.praline.worker.storage;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What tells a file's content from another one's under the same name.
 *
 * @param kind what the tag is
 * @param bytes how long the file is
 * @param tag as the store says it; empty where it says nothing
 */
public record FileVersion(Kind kind, long bytes, String tag) {
    /** Times of change are told in seconds: by the store's own clock, what changes so long after one has another. */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    /** By what a store tells contents apart, the surest first. */
    public enum Kind {
        /** The id of a version, which stays when others follow. */
        ID,
        /** A strong ETag. */
        ETAG,
        /** When it was last changed, to the second: two changes in one are taken for one. */
        MODIFIED,
        /** The same, in the second in which it was looked at or shortly behind it: another change may have that time too. */
        JUST_MODIFIED,
        /** Nothing but the length. */
        LENGTH
    }

    /** What a store says of a file along with an answer. */
    public record Told(Optional<String> id, Optional<String> etag, Optional<String> modified, long bytes) {
        /** The surest of it. */
        public FileVersion version() {
            for (Kind kind : Kind.values()) {
                Optional<FileVersion> version = by(kind);
                if (version.isPresent()) {
                    return version.get();
                }
            }
            throw new IllegalStateException("a file has a length");
        }

        private Optional<FileVersion> by(Kind kind) {
            Optional<String> tag =
                    switch (kind) {
                        // where a bucket's versions are suspended there is one that is written over, called null
                        case ID -> id.filter(each -> !each.isEmpty() && !each.equals("null"));
                        case ETAG -> etag.filter(each -> !each.isEmpty() && !each.startsWith("W/"));
                        case MODIFIED, JUST_MODIFIED -> modified.filter(each -> !each.isEmpty());
                        case LENGTH -> Optional.of("");
                    };
            return tag.map(each -> new FileVersion(kind, bytes, each));
        }
    }

    public FileVersion {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes must not be negative, are " + bytes);
        }
    }

    /** Whether every change is seen. */
    public boolean certain() {
        return kind == Kind.ID || kind == Kind.ETAG;
    }

    /** Whether a content that has it later is this one, as far as a store tells: others may be as long, or of the same second. */
    public boolean lasts() {
        return kind != Kind.LENGTH && kind != Kind.JUST_MODIFIED;
    }

    /** Told so long behind the time of change; where that is short another change may have it too. */
    FileVersion unchangedFor(Duration time) {
        return kind == Kind.MODIFIED && time.compareTo(SETTLED) < 0
                ? new FileVersion(Kind.JUST_MODIFIED, bytes, tag)
                : this;
    }

    /** Whether an answer is of this content. */
    public boolean is(Told answer) {
        return answer.by(kind).filter(this::equals).isPresent();
    }

    /** As it stands in a plan. */
    public String text() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + bytes + " " + tag;
    }

    /**
     * As it stands in a plan.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static FileVersion parse(String text) {
        String[] parts = text.split(" ", 3);
        if (parts.length < 3) {
            throw new IllegalArgumentException("'" + text + "' is no version of a file: kind, bytes, tag");
        }
        return new FileVersion(Kind.valueOf(parts[0].toUpperCase(Locale.ROOT)), Long.parseLong(parts[1]), parts[2]);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case ID -> "version " + tag + " of " + bytes + " bytes";
            case ETAG -> "ETag " + tag + ", " + bytes + " bytes";
            case MODIFIED, JUST_MODIFIED -> "changed at " + tag + ", " + bytes + " bytes";
            case LENGTH -> bytes + " bytes";
        };
    }
}
