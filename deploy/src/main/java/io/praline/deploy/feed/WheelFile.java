package io.praline.deploy.feed;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A package as pip installs it: a zip of what is installed, and of what pip reads of it. The same contents make the same bytes.
 *
 * @param name of the package, as pip knows it
 * @param version as Python writes it
 * @param tag which Pythons and platforms it is for
 * @param metadata what the file METADATA says besides name and version
 * @param contents what is installed, in this order
 */
record WheelFile(String name, String version, String tag, String metadata, List<Content> contents) {

    /** An installed file, by its path. */
    record Content(String path, Source source) {
        static Content of(String path, Path file) {
            return new Content(path, () -> Files.newInputStream(file));
        }

        static Content of(String path, String text) {
            return new Content(path, () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** A file's bytes; opened more than once. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    WheelFile {
        contents = List.copyOf(contents);
    }

    /** Writes it into a folder, in place of one of the same version and platform; gives the file. */
    Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        String prefix = name + "-" + version;
        Path file = folder.resolve(prefix + "-" + tag + ".whl");
        Path fresh = folder.resolve(file.getFileName() + ".part");
        String about = prefix + ".dist-info/";
        try (OutputStream out = Files.newOutputStream(fresh);
                ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
            StringBuilder record = new StringBuilder();
            List<Content> all = new ArrayList<>(contents);
            all.add(Content.of(about + "METADATA", """
                    Metadata-Version: 2.1
                    Name: %s
                    Version: %s
                    """.formatted(name, version) + metadata));
            all.add(Content.of(about + "WHEEL", """
                    Wheel-Version: 1.0
                    Generator: praline
                    Root-Is-Purelib: %s
                    Tag: %s
                    """.formatted(tag.endsWith("-none-any"), tag)));
            for (Content content : all) {
                record.append(add(zip, content));
            }
            record.append(about).append("RECORD,,\n");
            add(zip, Content.of(about + "RECORD", record.toString()));
        }
        return Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes an entry; gives its line of RECORD. */
    private static String add(ZipOutputStream zip, Content content) throws IOException {
        CRC32 sum = new CRC32();
        MessageDigest digest = sha256();
        long bytes;
        try (InputStream in = content.source().open();
                OutputStream summed =
                        new DigestOutputStream(new CheckedOutputStream(OutputStream.nullOutputStream(), sum), digest)) {
            bytes = in.transferTo(summed);
        }
        ZipEntry entry = new ZipEntry(content.path());
        entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
        if (content.path().endsWith(".jar")) { // packed already
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(bytes);
            entry.setCrc(sum.getValue());
        }
        zip.putNextEntry(entry);
        try (InputStream in = content.source().open()) {
            in.transferTo(zip);
        }
        zip.closeEntry();
        return content.path() + ",sha256="
                + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest()) + "," + bytes + "\n";
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException every) {
            throw new IllegalStateException("every Java has SHA-256", every);
        }
    }
}
