package io.praline.worker.storage.glob;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/** A name of a pattern: text that must be equal, a matcher, or {@code **}. */
record GlobPart(String text, boolean anyDepth, Optional<PathMatcher> matcher) {
    static GlobPart of(String text) {
        if (text.equals("**")) {
            return new GlobPart(text, true, Optional.empty());
        }
        return new GlobPart(text, false, FileGlob.isPlain(text) ? Optional.empty() : Optional.of(matcher(text)));
    }

    private static PathMatcher matcher(String text) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + text);
        } catch (PatternSyntaxException broken) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no glob: " + broken.getDescription()
                            + "; a \\ before a bracket takes it as it is",
                    broken);
        }
    }

    boolean plain() {
        return !anyDepth && matcher.isEmpty();
    }

    boolean matches(String name) {
        if (anyDepth) {
            return !name.startsWith(".");
        }
        if (matcher.isEmpty()) {
            return text.equals(name);
        }
        return (!name.startsWith(".") || text.startsWith(".")) && matcher.get().matches(Path.of(name));
    }
}
