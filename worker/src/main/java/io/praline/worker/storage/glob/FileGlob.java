package io.praline.worker.storage.glob;

import io.praline.topics.BoundedText;
import io.praline.worker.storage.patience.Asking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The files that match a pattern, in the order of {@link NameOrder}, one directory in memory at a time.
 *
 * <p>{@code *}, {@code ?} and {@code [...]} match within a name, {@code {a,b}} either of two, and {@code **} any number of
 * directories, none included. As in a shell, names that begin with a dot match only a pattern that begins with one, and
 * {@code **} does not follow links to directories.
 */
public final class FileGlob {
    private static final String WILD = "*?[{\\";

    /** Each is a walk of its own; 26 times {@code {a,b}} would be 67 million. */
    private static final int MOST_ALTERNATIVES = 1_000;

    private static final int MOST_BRACES = 100;

    private FileGlob() {}

    /**
     * Files that match a pattern without braces.
     *
     * @param glob absolute, or relative to {@code base}; {@code file://} in front is allowed
     */
    public static Iterator<String> walk(String glob, Path base) {
        return new Walk(absolute(glob, base));
    }

    /** Whether the pattern is a plain path. */
    public static boolean isPlain(String glob) {
        return glob.chars().noneMatch(c -> WILD.indexOf(c) >= 0);
    }

    /** Whether there is a file whose path this is to the letter. */
    public static boolean isFile(String glob, Path base) {
        return Files.isRegularFile(Path.of(absolute(glob, base)));
    }

    /** The path or pattern with {@code file://} taken off and {@code base} put in front where it is relative. */
    public static String absolute(String glob, Path base) {
        String local = glob.startsWith("file://") ? glob.substring("file://".length()) : glob;
        if (local.contains("://")) {
            throw new IllegalArgumentException(
                    "only paths, file://, s3://, http:// and https:// can be read, not " + glob);
        }
        String whole = local.startsWith("/") ? local : base.toAbsolutePath() + "/" + local;
        return tidied(whole);
    }

    private static String tidied(String path) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : path.split("/", -1)) {
            if (part.equals("..") && !parts.isEmpty()) {
                parts.removeLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    /**
     * The pattern once for each way to choose from its braces.
     *
     * @throws IllegalArgumentException if there are too many, or a brace is not closed
     */
    public static List<String> alternatives(String glob) {
        if (glob.chars().filter(c -> c == '{').count() > MOST_BRACES) {
            throw new IllegalArgumentException("a glob must have at most " + MOST_BRACES + " braces: " + shown(glob));
        }
        return chosen(glob);
    }

    private static String shown(String glob) {
        return BoundedText.cut(glob, 200);
    }

    private static List<String> chosen(String glob) {
        int open = glob.indexOf('{');
        if (open < 0) {
            return List.of(glob);
        }
        List<String> choices = new ArrayList<>();
        int depth = 0;
        int from = open + 1;
        int close = -1;
        for (int i = open; i < glob.length() && close < 0; i++) {
            char c = glob.charAt(i);
            if (c == '{') {
                depth++;
            } else if (c == '}') {
                depth--;
            }
            if (depth == 0 || (c == ',' && depth == 1)) {
                choices.add(glob.substring(from, i));
                from = i + 1;
                close = depth == 0 ? i : -1;
            }
        }
        if (close < 0) {
            throw new IllegalArgumentException("a brace is not closed in " + shown(glob));
        }
        List<String> whole = new ArrayList<>();
        for (String choice : choices) {
            whole.addAll(chosen(glob.substring(0, open) + choice + glob.substring(close + 1)));
            if (whole.size() > MOST_ALTERNATIVES) {
                throw new IllegalArgumentException("a glob must stand for at most " + MOST_ALTERNATIVES + " others: "
                        + shown(glob) + "; use * or several globs");
            }
        }
        return whole;
    }

    /** Depth first; a directory sorts as its name with a slash, so that whole paths come out in the order of names. */
    private static final class Walk implements Iterator<String> {
        // one for all files: there may be millions in a directory
        private static final BitSet NOTHING_BELOW = new BitSet();

        private record Entry(String name, boolean directory, BitSet open) {
            String sortKey() {
                return directory ? name + "/" : name;
            }
        }

        private record Level(String directory, Iterator<Entry> entries) {}

        private final List<GlobPart> parts;
        private final Deque<Level> levels = new ArrayDeque<>();
        private Optional<String> next = Optional.empty();

        Walk(String pattern) {
            parts = Arrays.stream(pattern.substring(1).split("/"))
                    .map(GlobPart::of)
                    .toList();
            BitSet first = new BitSet();
            first.set(0);
            levels.push(list("", closure(first)));
        }

        /** With every {@code **} also what comes behind it, as it matches no directory at all too. */
        private BitSet closure(BitSet open) {
            for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
                if (i < parts.size() && parts.get(i).anyDepth()) {
                    open.set(i + 1);
                }
            }
            return open;
        }

        private Level list(String directory, BitSet open) {
            List<Entry> entries = new ArrayList<>();
            boolean plain = open.stream()
                    .allMatch(i -> i >= parts.size() || parts.get(i).plain());
            if (plain) {
                open.stream().filter(i -> i < parts.size()).forEach(i -> {
                    consider(directory, parts.get(i).text(), open, entries);
                });
            } else {
                try (DirectoryStream<Path> children = Files.newDirectoryStream(Path.of(directory + "/"))) {
                    for (Path child : children) {
                        Asking.goesOn();
                        consider(directory, child.getFileName().toString(), open, entries);
                    }
                } catch (NotDirectoryException | java.nio.file.AccessDeniedException e) {
                    return new Level(directory, Collections.emptyIterator());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            entries.sort(Comparator.comparing(Entry::sortKey, NameOrder.BY_CODE_POINT));
            return new Level(directory, entries.iterator());
        }

        private void consider(String directory, String name, BitSet open, List<Entry> entries) {
            BitSet after = new BitSet();
            BitSet behindLinks = new BitSet();
            for (int i = open.nextSetBit(0); i >= 0 && i < parts.size(); i = open.nextSetBit(i + 1)) {
                GlobPart part = parts.get(i);
                if (part.matches(name)) {
                    after.set(part.anyDepth() ? i : i + 1);
                    // a link leads back up as well, and any depth has no end then
                    behindLinks.set(i + 1, !part.anyDepth());
                }
            }
            if (after.isEmpty()) {
                return;
            }
            Path path = Path.of(directory + "/" + name);
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                entries.add(new Entry(name, true, closure(after)));
            } else if (!behindLinks.isEmpty() && Files.isDirectory(path)) {
                behindLinks.clear(parts.size());
                if (!behindLinks.isEmpty()) {
                    entries.add(new Entry(name, true, closure(behindLinks)));
                }
            } else if ((after.get(parts.size()) || (after.get(parts.size() - 1) && endsInAnyDepth()))
                    && Files.isRegularFile(path)) {
                entries.add(new Entry(name, false, NOTHING_BELOW));
            }
        }

        private boolean endsInAnyDepth() {
            return parts.get(parts.size() - 1).anyDepth();
        }

        @Override
        public boolean hasNext() {
            while (next.isEmpty() && !levels.isEmpty()) {
                Level level = levels.peek();
                if (!level.entries().hasNext()) {
                    levels.pop();
                    continue;
                }
                Entry entry = level.entries().next();
                String path = level.directory() + "/" + entry.name();
                if (entry.directory()) {
                    levels.push(list(path, entry.open()));
                } else {
                    next = Optional.of(path);
                }
            }
            return next.isPresent();
        }

        @Override
        public String next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            String path = next.orElseThrow();
            next = Optional.empty();
            return path;
        }
    }
}
