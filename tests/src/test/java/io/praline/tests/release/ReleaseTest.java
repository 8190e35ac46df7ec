package io.praline.tests.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.tests.rig.Ended;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.NodeList;

/** A user unpacks a release into a folder with a space in its name and runs it there. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ReleaseTest {
    private static final String NO_ARCHIVE = "PRALINE_NO_ARCHIVE";

    private static final String NO_CLUSTER =
            "praline: no cluster is known; start one with 'praline up' in another terminal, or give --bootstrap and"
                    + " --registry";

    // WarmUp ends itself after two minutes; with the archive it takes half a minute, beside other work twice that
    private static final Duration UNTIL_WARM = Duration.ofMinutes(3);

    @TempDir
    static Path scratch;

    private static UnpackedRelease release;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        release = UnpackedRelease.in(scratch);
    }

    @Test
    void itTellsItsVersionThroughLinksAndBuildsNothing() throws Exception {
        Path absolute = Files.createSymbolicLink(release.home().resolve("bin").resolve("praline"), release.script());
        Path link = Files.createSymbolicLink(
                release.home().resolve("pra"), release.home().relativize(absolute));

        Ended version = release.command(link.toString(), "--version").run();

        assertThat(version.err()).isEmpty();
        assertThat(version.out()).matches("praline \\S+, commit (not known|[0-9a-f]{12,}(-dirty)?)\n");
        assertThat(version.code()).isZero();
        assertThat(release.built()).isFalse();
    }

    @Test
    void whatACommandLacksIsOneLine() throws Exception {
        assertThat(release.command(release.script().toString(), "jobs")
                        .with(NO_ARCHIVE, "1")
                        .run())
                .isEqualTo(new Ended(5, "", NO_CLUSTER + "\n"));
    }

    @Test
    void aReleaseThatLostItsJarsSaysSo() throws Exception {
        Path folder = Files.createDirectories(scratch.resolve("lost")).toRealPath();
        Path script = Files.copy(release.script(), folder.resolve("praline"), StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(release.command(script.toString(), "jobs").run())
                .isEqualTo(
                        new Ended(
                                2,
                                "",
                                "praline: " + folder
                                        + " holds neither the sources of Praline nor a release: lib is missing; unpack it again\n"));

        Files.createDirectory(folder.resolve("lib"));
        assertThat(release.command(script.toString(), "jobs").run())
                .isEqualTo(
                        new Ended(
                                2,
                                "",
                                "praline: " + folder
                                        + "/lib must hold one deploy-VERSION.jar; unpack the release again, into a new folder\n"));
    }

    // a file in the place of its cache: what a read-only folder is to all but the superuser, who may run this
    @Test
    @Tag("long")
    void aFolderThatCannotBeWrittenToLeavesTheArchiveOfClassesToTheUser() throws Exception {
        Path taken = Files.createFile(release.folder().resolve("cache"));
        try {
            Ended first = release.command(release.script().toString(), "jobs").run(UNTIL_WARM);
            assertThat(first)
                    .isEqualTo(new Ended(5, "", "preparing a faster start (first use)...\n" + NO_CLUSTER + "\n"));
            assertThat(UnpackedRelease.classArchives(release.folder())).isEmpty();
            assertThat(UnpackedRelease.classArchives(release.home().resolve(".cache/praline")))
                    .hasSize(1);

            Ended second = release.command(release.script().toString(), "jobs").run();
            assertThat(second).isEqualTo(new Ended(5, "", NO_CLUSTER + "\n"));
        } finally {
            Files.delete(taken);
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = UnpackedRelease.ARCHIVE,
            matches = ".+",
            disabledReason = "there is no archive to look into; mvn -Prelease package makes one")
    void theArchiveHoldsWhatAUserNeedsAndNoMore() throws IOException {
        assertThat(UnpackedRelease.classArchives(release.folder())).isEmpty();
        assertThat(release.folder()).isDirectoryContaining("glob:**/{praline,README.md,LICENSE,bom.cdx.json,lib}");
        try (Stream<Path> jars = Files.list(release.folder().resolve("lib"))) {
            List<String> names = jars.map(jar -> jar.getFileName().toString()).toList();
            assertThat(names).noneMatch(name -> name.contains("junit") || name.contains("assertj"));
            // praline-VERSION-PLATFORM.tar.gz
            String archive = Path.of(System.getProperty(UnpackedRelease.ARCHIVE))
                    .getFileName()
                    .toString();
            assertThat(names)
                    .filteredOn(name -> name.matches("tensorflow-core-native-[0-9.]+-.*"))
                    .singleElement()
                    .asString()
                    .satisfies(name -> assertThat(archive)
                            .endsWith(name.replaceFirst("tensorflow-core-native-[0-9.]+", "")
                                    .replaceFirst("[.]jar$", ".tar.gz")));
        }
    }

    /** Links of the README that lead to files or folders. */
    private static List<String> links() throws IOException {
        return Pattern.compile("]\\(([^)#:]+)[^):]*\\)")
                .matcher(Files.readString(Path.of("..", "README.md")))
                .results()
                .map(link -> link.group(1))
                .distinct()
                .toList();
    }

    @Test
    void whereTheReadmeLeadsIsPutIntoTheArchive() throws Exception {
        NodeList includes = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("..", "deploy", "src", "main", "assembly", "release.xml")
                        .toFile())
                .getElementsByTagName("include");
        List<String> patterns = IntStream.range(0, includes.getLength())
                .mapToObj(at -> includes.item(at).getTextContent())
                .toList();

        assertThat(links()).hasSizeGreaterThan(10).allSatisfy(link -> assertThat(patterns)
                .anyMatch(pattern -> pattern.startsWith(link + "/")
                        || FileSystems.getDefault()
                                .getPathMatcher("glob:" + pattern)
                                .matches(Path.of(link))));
    }

    @Test
    @EnabledIfSystemProperty(
            named = UnpackedRelease.ARCHIVE,
            matches = ".+",
            disabledReason = "there is no archive to look into; mvn -Prelease package makes one")
    void whereTheReadmeLeadsLiesInTheArchive() throws IOException {
        assertThat(links())
                .allSatisfy(link -> assertThat(release.folder().resolve(link)).exists());
    }

    @Test
    @EnabledIfSystemProperty(
            named = UnpackedRelease.ARCHIVE,
            matches = ".+",
            disabledReason = "the demo of the checkout runs elsewhere; mvn -Prelease package runs the release's")
    void theDemoRuns() throws Exception {
        Ended demo = release.command(release.script().toString(), "demo", "--images", "256", "--json")
                .with(NO_ARCHIVE, "1")
                .run();
        assertThat(demo.code()).as(demo.err()).isZero();
        assertThat(demo.out()).contains("\"state\":\"COMPLETED\"", "\"elements\":512", "\"missing\":0");
        assertThat(release.built()).isFalse();
    }
}
