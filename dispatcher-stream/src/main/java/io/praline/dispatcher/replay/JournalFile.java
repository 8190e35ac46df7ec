package io.praline.dispatcher.replay;

import io.praline.policy.Counted;
import io.praline.schema.JournalEntry;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.SeekableFileInput;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;

/** A job's journal as an Avro container file, which any Avro library reads. */
public final class JournalFile {
    /** In the file's metadata: a file that is cut between two blocks cannot be told from a whole one otherwise. */
    private static final String ENTRIES = "praline.entries";

    private static final Schema OURS = JournalEntry.getClassSchema();

    private JournalFile() {}

    /** Writes all or nothing: the file is there when it is whole. What a link leads to is written, and the link stays. */
    public static void write(Path named, List<JournalEntry> entries) throws IOException {
        Path file = Files.exists(named) ? named.toRealPath() : named;
        // what is moved there would take the place of an empty folder, or of a device such as /dev/null
        if (Files.isDirectory(file)) {
            throw new FileSystemException(named.toString(), null, "Is a directory");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new FileSystemException(named.toString(), null, "it is a device or a pipe, and no file");
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (DataFileWriter<JournalEntry> out =
                    new DataFileWriter<>(new SpecificDatumWriter<>(JournalEntry.class))) {
                out.setCodec(CodecFactory.deflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL));
                out.setMeta(ENTRIES, entries.size());
                out.create(OURS, Files.newOutputStream(part));
                for (JournalEntry entry : entries) {
                    out.append(entry);
                }
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /**
     * The entries of a file.
     *
     * @throws IllegalArgumentException saying in one line why it is no journal that can be read: no Avro, another record,
     *     a newer schema, cut off, damaged
     * @throws IOException if the file itself cannot be read
     */
    public static List<JournalEntry> read(Path file) throws IOException {
        long length = Files.size(file);
        List<JournalEntry> entries = new ArrayList<>();
        try (SeekableFileInput input = new SeekableFileInput(file.toFile());
                DataFileReader<JournalEntry> in = open(file, input)) {
            while (in.hasNext()) {
                entries.add(in.next());
            }
            // Avro takes a file that ends within a block for one that ends before it
            boolean cut = in.previousSync() < length || entries.size() < told(in).orElse(0L);
            if (cut) {
                throw new IllegalArgumentException(
                        file + " is cut off after " + Counted.of(entries.size(), "entry", "entries")
                                + told(in).map(all -> " of " + all).orElse("") + ": export it again");
            }
        } catch (AvroRuntimeException | IOException damaged) {
            throw new IllegalArgumentException(
                    file + " is damaged behind entry " + entries.size() + ": " + oneLine(damaged) + "; export it again",
                    damaged);
        }
        return entries;
    }

    private static DataFileReader<JournalEntry> open(Path file, SeekableFileInput input) {
        SpecificDatumReader<JournalEntry> reader = new SpecificDatumReader<>(OURS);
        DataFileReader<JournalEntry> in;
        try {
            in = new DataFileReader<>(input, reader);
        } catch (EOFException cut) {
            throw new IllegalArgumentException(file + " is cut off within its header: export it again", cut);
        } catch (IOException | AvroRuntimeException none) {
            throw new IllegalArgumentException(
                    file + " is no Avro container file: export a journal with 'praline journal export JOB --to FILE'",
                    none);
        }
        Schema writer = in.getSchema();
        if (!writer.getFullName().equals(OURS.getFullName())) {
            throw new IllegalArgumentException(
                    file + " holds " + writer.getFullName() + ", not " + OURS.getFullName() + ": it is no journal");
        }
        unknown(writer, OURS, new LinkedHashSet<>()).ifPresent(field -> {
            throw new IllegalArgumentException(file + " is of a newer schema: " + field
                    + " is not known here; read it with the version of Praline that wrote it");
        });
        return in;
    }

    /** A field or type that the writer's schema has and ours has not: what is replayed without it may differ. */
    private static Optional<String> unknown(Schema writer, Schema ours, Set<String> visited) {
        if (writer.getType() == Schema.Type.UNION || ours.getType() == Schema.Type.UNION) {
            return branches(writer).stream()
                    .map(branch -> branches(ours).stream()
                            .filter(known -> known.getFullName().equals(branch.getFullName()))
                            .findFirst()
                            .map(known -> unknown(branch, known, visited))
                            .orElse(Optional.of(branch.getFullName())))
                    .flatMap(Optional::stream)
                    .findFirst();
        }
        if (writer.getType() != ours.getType()) {
            return Optional.of(
                    writer.getType().getName() + " for " + ours.getType().getName());
        }
        return switch (writer.getType()) {
            case ARRAY -> unknown(writer.getElementType(), ours.getElementType(), visited);
            case MAP -> unknown(writer.getValueType(), ours.getValueType(), visited);
            case RECORD -> visited.add(writer.getFullName()) ? unknownField(writer, ours, visited) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<String> unknownField(Schema writer, Schema ours, Set<String> visited) {
        for (Schema.Field field : writer.getFields()) {
            Schema.Field known = ours.getField(field.name());
            String name = writer.getName() + "." + field.name();
            if (known == null) {
                return Optional.of(name);
            }
            Optional<String> inside = unknown(field.schema(), known.schema(), visited);
            if (inside.isPresent()) {
                return inside.map(what -> what.contains(".") ? what : name + " (" + what + ")");
            }
        }
        return Optional.empty();
    }

    private static List<Schema> branches(Schema schema) {
        return schema.getType() == Schema.Type.UNION ? schema.getTypes() : List.of(schema);
    }

    private static Optional<Long> told(DataFileReader<JournalEntry> in) {
        return in.getMetaKeys().contains(ENTRIES) ? Optional.of(in.getMetaLong(ENTRIES)) : Optional.empty();
    }

    private static String oneLine(Throwable failure) {
        return Objects.requireNonNullElse(
                        failure.getMessage(), failure.getClass().getSimpleName())
                .replaceAll("\\s*\\R\\s*", " ");
    }
}
