package io.praline.deploy.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;

/**
 * What a registry knows, folded from its topic's records in their order. The records have the shape of Confluent's, so
 * that the topic can be read by others:
 *
 * <pre>
 *   {"keytype":"SCHEMA","subject":S,"version":V,"magic":1}  {"subject":S,"version":V,"id":I,"schema":TEXT,"deleted":B}
 *   {"keytype":"DELETE_SUBJECT","subject":S,"magic":0}      {"subject":S,"version":V}     all up to V are soft deleted
 *   {"keytype":"CONFIG","subject":S or null,"magic":0}      {"compatibilityLevel":LEVEL}
 *   {"keytype":"MODE","subject":S or null,"magic":0}        {"mode":MODE}
 * </pre>
 *
 * <p>A record without a value removes what its key stands for. Other key types are left alone. Not thread safe.
 */
final class SchemaStore {
    private final SortedMap<String, SortedMap<Integer, Version>> subjects = new TreeMap<>();
    private final Map<String, Compatibility> levels = new TreeMap<>();
    private final Map<String, String> modes = new TreeMap<>();
    private Compatibility globalLevel = Compatibility.BACKWARD;
    private String globalMode = "READWRITE";
    private int maxId;

    /** Takes one record of the topic. */
    void apply(JsonNode key, Optional<JsonNode> value) {
        String subject = key.path("subject").asText("");
        boolean global =
                key.path("subject").isMissingNode() || key.path("subject").isNull();
        switch (key.path("keytype").asText()) {
            case "SCHEMA" -> applySchema(subject, key.path("version").asInt(), value);
            case "DELETE_SUBJECT" ->
                value.ifPresent(
                        deleted -> softDelete(subject, deleted.path("version").asInt()));
            case "CONFIG" -> applyLevel(subject, global, value);
            case "MODE" -> applyMode(subject, global, value);
            default -> {
                // NOOP and what newer registries write: nothing of ours
            }
        }
    }

    /** Every subject with a version; with {@code deleted}, those whose versions are all soft deleted too. */
    List<String> subjects(boolean deleted) {
        return subjects.keySet().stream()
                .filter(subject -> !versions(subject, deleted).isEmpty())
                .toList();
    }

    /** The subject's versions, oldest first; empty where it has none. */
    List<Version> versions(String subject, boolean deleted) {
        return subjects.getOrDefault(subject, new TreeMap<>()).values().stream()
                .filter(version -> deleted || !version.deleted())
                .toList();
    }

    /** Every version of every subject. */
    List<Version> all(boolean deleted) {
        return subjects.keySet().stream()
                .flatMap(subject -> versions(subject, deleted).stream())
                .toList();
    }

    /** The versions with this id, under any subject, deleted ones too. */
    List<Version> withId(int id) {
        return all(true).stream().filter(version -> version.id() == id).toList();
    }

    /** The id of this text, under any subject, if it has one. */
    Optional<Integer> idOf(String canonical) {
        return all(true).stream()
                .filter(version -> version.schema().equals(canonical))
                .map(Version::id)
                .findFirst();
    }

    /** The highest id that was ever seen. */
    int maxId() {
        return maxId;
    }

    /** The highest version number of the subject that is still known, deleted ones too; 0 for none. */
    int lastVersion(String subject) {
        SortedMap<Integer, Version> versions = subjects.get(subject);
        return versions == null || versions.isEmpty() ? 0 : versions.lastKey();
    }

    Compatibility globalLevel() {
        return globalLevel;
    }

    Optional<Compatibility> level(String subject) {
        return Optional.ofNullable(levels.get(subject));
    }

    String globalMode() {
        return globalMode;
    }

    Optional<String> mode(String subject) {
        return Optional.ofNullable(modes.get(subject));
    }

    private void applySchema(String subject, int version, Optional<JsonNode> value) {
        SortedMap<Integer, Version> versions = subjects.computeIfAbsent(subject, name -> new TreeMap<>());
        if (value.isPresent()) {
            JsonNode known = value.get();
            int id = known.path("id").asInt();
            versions.put(
                    version,
                    new Version(
                            subject,
                            version,
                            id,
                            known.path("schema").asText(),
                            known.path("deleted").asBoolean()));
            maxId = Math.max(maxId, id);
        } else {
            versions.remove(version);
        }
        if (versions.isEmpty()) {
            subjects.remove(subject);
        }
    }

    private void softDelete(String subject, int upTo) {
        SortedMap<Integer, Version> versions = subjects.getOrDefault(subject, new TreeMap<>());
        for (Version version : new ArrayList<>(versions.values())) {
            if (version.version() <= upTo) {
                versions.put(version.version(), version.asDeleted());
            }
        }
    }

    private void applyLevel(String subject, boolean global, Optional<JsonNode> value) {
        Optional<Compatibility> level = value.flatMap(
                known -> Compatibility.of(known.path("compatibilityLevel").asText()));
        if (global) {
            globalLevel = level.orElse(Compatibility.BACKWARD);
        } else if (level.isPresent()) {
            levels.put(subject, level.get());
        } else {
            levels.remove(subject);
        }
    }

    private void applyMode(String subject, boolean global, Optional<JsonNode> value) {
        Optional<String> mode = value.map(known -> known.path("mode").asText());
        if (global) {
            globalMode = mode.orElse("READWRITE");
        } else if (mode.isPresent()) {
            modes.put(subject, mode.get());
        } else {
            modes.remove(subject);
        }
    }

    /**
     * One version of a subject.
     *
     * @param version counted from 1 within the subject
     * @param id the same for the same text under any subject
     * @param schema the canonical text
     * @param deleted whether it is soft deleted: found by its id, but not by its subject unless asked for
     */
    record Version(String subject, int version, int id, String schema, boolean deleted) {
        Version asDeleted() {
            return new Version(subject, version, id, schema, true);
        }

        Schema parsed() {
            return new Schema.Parser().parse(schema);
        }
    }
}
