package io.praline.tests.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.tests.rig.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A release in a folder, and a user's shell to run it from. It is the archive that the property {@value #ARCHIVE} names, as
 * {@code mvn -Prelease} gives it; without the property it is laid out alike, from the jars and classes that this JVM runs.
 *
 * @param folder the release's top folder
 * @param home the user's, whose {@code bin} holds a Maven that leaves a file {@code built} in the home
 */
record UnpackedRelease(Path folder, Path home) {
    static final String ARCHIVE = "praline.tests.release";

    private static final Path ROOT = Path.of("..");

    static UnpackedRelease in(Path scratch) throws IOException, InterruptedException {
        // as folders of users are named
        Path programs = Files.createDirectories(scratch.resolve("my programs"));
        Path home = Files.createDirectories(scratch.resolve("home"));
        Path mvn = Files.createDirectories(home.resolve("bin")).resolve("mvn");
        Files.writeString(mvn, "#!/bin/sh\ntouch '" + home.resolve("built") + "'\n");
        assertThat(mvn.toFile().setExecutable(true)).isTrue();
        String archive = System.getProperty(ARCHIVE, "");
        if (archive.isEmpty()) {
            Path laidOut = programs.resolve("praline-0");
            layOut(laidOut);
            return new UnpackedRelease(laidOut, home);
        }
        Process tar = new ProcessBuilder(
                        "tar", "xzf", Path.of(archive).toAbsolutePath().toString())
                .directory(programs.toFile())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        try (Stream<Path> top = Files.list(programs)) {
            List<Path> folders = top.toList();
            assertThat(folders).as("what lies at the top of " + archive).hasSize(1);
            return new UnpackedRelease(folders.get(0), home);
        }
    }

    private static void layOut(Path folder) throws IOException {
        Path lib = Files.createDirectories(folder.resolve("lib"));
        Files.copy(ROOT.resolve("praline"), folder.resolve("praline"), StandardCopyOption.COPY_ATTRIBUTES);
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry).toAbsolutePath().normalize();
            if (entry.endsWith(".jar")) {
                linkOrCopy(path, lib.resolve(path.getFileName()));
            } else if (path.endsWith(Path.of("target", "classes")) && Files.isDirectory(path)) {
                pack(path, lib.resolve(path.getParent().getParent().getFileName() + "-0.jar"));
            }
        }
    }

    private static void linkOrCopy(Path jar, Path to) throws IOException {
        try {
            Files.createLink(to, jar);
        } catch (FileSystemException onAnotherDisk) {
            Files.copy(jar, to);
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> all = Files.walk(classes)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, out);
            }
        }
    }

    Path script() {
        return folder.resolve("praline");
    }

    /** Whether Maven was called. */
    boolean built() {
        return Files.exists(home.resolve("built"));
    }

    /** The archives of classes that lie under a folder. */
    static List<Path> classArchives(Path under) throws IOException {
        try (Stream<Path> all = Files.walk(under)) {
            return all.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    /** A command as this user gives it. */
    Command command(String... words) {
        return Command.of(words)
                .with("HOME", home.toString())
                .with("PRALINE_HOME", home.resolve("praline").toString())
                .with("XDG_CACHE_HOME", "")
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("PATH", home.resolve("bin") + File.pathSeparator + System.getenv("PATH"));
    }
}
