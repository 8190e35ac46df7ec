package io.praline.worker.storage.glob;

import java.util.Arrays;
import java.util.List;

/** A pattern of keys that are no files of directories, by the rules of {@link FileGlob}. */
public final class KeyPattern {
    private final List<GlobPart> parts;
    private final String prefix;

    public KeyPattern(String pattern) {
        this.parts = Arrays.stream(pattern.split("/", -1)).map(GlobPart::of).toList();
        int wild = 0;
        while (wild < pattern.length() && FileGlob.isPlain(pattern.substring(wild, wild + 1))) {
            wild++;
        }
        this.prefix = pattern.substring(0, wild);
    }

    /** What all keys begin with that match. */
    public String prefix() {
        return prefix;
    }

    public boolean matches(String key) {
        return matches(0, key.split("/", -1), 0);
    }

    private boolean matches(int part, String[] names, int name) {
        if (part == parts.size()) {
            return name == names.length;
        }
        if (parts.get(part).anyDepth()) {
            // none, or one and again any; a last ** stands for what lies below, at least one name
            boolean last = part == parts.size() - 1;
            return (!last && matches(part + 1, names, name))
                    || (name < names.length
                            && parts.get(part).matches(names[name])
                            && (matches(part, names, name + 1) || (last && name + 1 == names.length)));
        }
        return name < names.length && parts.get(part).matches(names[name]) && matches(part + 1, names, name + 1);
    }
}
