package io.praline.deploy.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a broker's folder must hold to be the one that was written: Kafka makes what is missing anew and empty, without a
 * word, and all that it held would be gone silently.
 */
final class BrokerFolder {
    /** Written when the folder is formatted, and never again. */
    static final String META = "meta.properties";

    private static final String METADATA = "__cluster_metadata-0";

    /** Kafka's own list of the partitions that it has, each with the offset up to which its records are committed. */
    private static final String KNOWN = "replication-offset-checkpoint";

    private final Path folder;

    BrokerFolder(Path folder) {
        this.folder = folder;
    }

    /** The first thing that is missing of what was there; empty where all is, or nothing was ever. */
    Optional<String> missing() {
        try {
            if (isUnused()) {
                return Optional.empty();
            }
            if (!Files.exists(folder.resolve(META))) {
                return Optional.of(META);
            }
            if (!holds(METADATA, ".log") && !holds(METADATA, ".checkpoint")) {
                return Optional.of(METADATA);
            }
            return lostPartition();
        } catch (IOException failed) {
            throw new ClusterRefused("data directory " + folder + " cannot be read: " + failed, failed);
        }
    }

    /** A first start that was broken off left no partition of a topic, and so nothing of value. */
    private boolean isUnused() throws IOException {
        if (!Files.isDirectory(folder)) {
            return true;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.noneMatch(entry -> Files.isDirectory(entry) && !entry.endsWith(METADATA));
        }
    }

    private Optional<String> lostPartition() throws IOException {
        Path known = folder.resolve(KNOWN);
        if (!Files.exists(known)) {
            return Optional.empty();
        }
        // behind the version and the number of entries: topic, partition, offset
        List<String> lines = Files.readAllLines(known);
        for (String line : lines.subList(Math.min(2, lines.size()), lines.size())) {
            String[] words = line.split(" ", -1);
            if (words.length == 3 && !words[2].equals("0") && !holds(words[0] + "-" + words[1], ".log")) {
                return Optional.of(words[0] + "-" + words[1]);
            }
        }
        return Optional.empty();
    }

    private boolean holds(String name, String end) throws IOException {
        Path inside = folder.resolve(name);
        if (!Files.isDirectory(inside)) {
            return false;
        }
        try (Stream<Path> files = Files.list(inside)) {
            return files.anyMatch(file -> file.getFileName().toString().endsWith(end));
        }
    }
}
