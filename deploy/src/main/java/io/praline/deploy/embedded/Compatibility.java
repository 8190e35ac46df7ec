package io.praline.deploy.embedded;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;

/** How a new version of a schema must get on with those before it. The names are the registry's. */
enum Compatibility {
    NONE(false, false, false),
    /** Who has the new version reads what was written by the last one. */
    BACKWARD(true, false, false),
    BACKWARD_TRANSITIVE(true, false, true),
    /** Who has the last version reads what is written by the new one. */
    FORWARD(false, true, false),
    FORWARD_TRANSITIVE(false, true, true),
    FULL(true, true, false),
    FULL_TRANSITIVE(true, true, true);

    private final boolean newReadsOld;
    private final boolean oldReadsNew;
    private final boolean withAll;

    Compatibility(boolean newReadsOld, boolean oldReadsNew, boolean withAll) {
        this.newReadsOld = newReadsOld;
        this.oldReadsNew = oldReadsNew;
        this.withAll = withAll;
    }

    /** The level of this name, in any case. */
    static Optional<Compatibility> of(String name) {
        try {
            return Optional.of(valueOf(name.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    /** What stands against the schema after these versions, oldest first; empty where nothing does. */
    List<String> against(Schema schema, List<Schema> versions) {
        int from = withAll ? 0 : Math.max(0, versions.size() - 1);
        return versions.subList(from, versions.size()).stream()
                .flatMap(old -> againstOne(schema, old).stream())
                .toList();
    }

    private List<String> againstOne(Schema schema, Schema old) {
        Optional<String> backward = newReadsOld ? unreadable(schema, old) : Optional.empty();
        Optional<String> forward = oldReadsNew ? unreadable(old, schema) : Optional.empty();
        return Stream.of(backward, forward).flatMap(Optional::stream).toList();
    }

    private static Optional<String> unreadable(Schema reader, Schema writer) {
        SchemaCompatibility.SchemaCompatibilityResult result = SchemaCompatibility.checkReaderWriterCompatibility(
                        reader, writer)
                .getResult();
        if (result.getIncompatibilities().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(result.getIncompatibilities().stream()
                .map(found -> found.getType() + " at " + found.getLocation() + ": " + found.getMessage())
                .collect(Collectors.joining("; ")));
    }
}
