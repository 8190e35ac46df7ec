package io.praline.worker.storage.glob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.S3Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileGlobTest {
    @TempDir
    private Path root;

    @BeforeEach
    void writeFiles() throws IOException {
        for (String path : List.of(
                "a/x.tfrecord",
                "a/y.tfrecord",
                "a/deep/er/z.tfrecord",
                "a-b/x.tfrecord",
                "a.txt",
                "a/.hidden",
                "b/x.txt")) {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.createFile(file);
        }
        Files.createSymbolicLink(root.resolve("link"), root.resolve("a"));
        Files.createSymbolicLink(root.resolve("a/deep/loop"), root);
    }

    private List<String> find(String... globs) {
        List<String> found = new ArrayList<>();
        new FileStores(S3Settings.USUAL)
                .find(List.of(globs), root)
                .forEachRemaining(
                        file -> found.add(root.relativize(Path.of(file.name())).toString()));
        return found;
    }

    @Test
    void aStarStaysWithinAName() {
        assertThat(find("a/*")).containsExactly("a/x.tfrecord", "a/y.tfrecord");
        assertThat(find("*/x.*")).containsExactly("a-b/x.tfrecord", "a/x.tfrecord", "b/x.txt", "link/x.tfrecord");
        assertThat(find("a/[yz].tf?ecord")).containsExactly("a/y.tfrecord");
    }

    @Test
    void aPatternThatIsThePathOfAFileIsThisFileAlone() throws IOException {
        for (String name : List.of("c[x].txt", "cx.txt", "d{1.txt", "e\\1.txt")) {
            Files.createFile(root.resolve(name));
        }

        assertThat(find("c[x].txt")).containsExactly("c[x].txt");
        assertThat(find("d{1.txt", "e\\1.txt")).containsExactly("d{1.txt", "e\\1.txt");
        assertThat(find("c[xy].txt")).containsExactly("cx.txt");
    }

    @Test
    void twoStarsMatchAnyNumberOfDirectories() {
        assertThat(find("a/**/*.tfrecord")).containsExactly("a/deep/er/z.tfrecord", "a/x.tfrecord", "a/y.tfrecord");
        assertThat(find("**/*.txt")).containsExactly("a.txt", "b/x.txt");
        assertThat(find("b/**")).containsExactly("b/x.txt");
    }

    // below a is a link to what a lies in: followed, it would give each file again below itself, without end
    @Test
    void twoStarsFollowNoLinkWhateverStandsBehindThem() {
        List<String> all = List.of("a/deep/er/z.tfrecord", "a/x.tfrecord", "a/y.tfrecord");
        assertThat(find("a/**/*")).isEqualTo(all);
        assertThat(find("a/**")).isEqualTo(all);
        assertThat(find("**/loop/a/*")).containsExactly("a/deep/loop/a/x.tfrecord", "a/deep/loop/a/y.tfrecord");
        assertThat(find("**/er/*")).containsExactly("a/deep/er/z.tfrecord");
    }

    @Test
    void bracesMatchEither() {
        assertThat(find("{b,a/deep/er}/*")).containsExactly("a/deep/er/z.tfrecord", "b/x.txt");
        assertThat(FileGlob.alternatives("x{1,{2,3}}y")).containsExactly("x1y", "x2y", "x3y");
    }

    @Test
    void severalPatternsGiveEachFileOnceInOrder() {
        assertThat(find("a/*.tfrecord", "a/x*", "a.txt")).containsExactly("a.txt", "a/x.tfrecord", "a/y.tfrecord");
    }

    @Test
    void filesComeOutAsStringsSort() {
        List<String> found = find("**");
        assertThat(found)
                .isEqualTo(Stream.of(
                                "a-b/x.tfrecord",
                                "a.txt",
                                "a/deep/er/z.tfrecord",
                                "a/x.tfrecord",
                                "a/y.tfrecord",
                                "b/x.txt")
                        .sorted()
                        .toList());
    }

    @Test
    void aPlainPathIsFoundAsItIs() {
        assertThat(find("a/./x.tfrecord", "file://" + root + "/b/x.txt", "a/.hidden"))
                .containsExactly("a/.hidden", "a/x.tfrecord", "b/x.txt");
        assertThat(find("a/none", "none/*", "a")).isEmpty();
    }

    @Test
    void aPatternThatIsBrokenIsNamed() {
        assertThatThrownBy(() -> find("a/[xy"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'[xy' is no glob: Missing ']; a \\ before a bracket takes it as it is");
        assertThatThrownBy(() -> find("{a,b")).hasMessageStartingWith("a brace is not closed in ");
    }

    @Test
    void onlyLocalPathsAreRead() {
        assertThatThrownBy(() -> find("gs://bucket/*"))
                .hasMessage("only paths, file://, s3://, http:// and https:// can be read, not gs://bucket/*");
    }

    // 26 times two choices are 67 million patterns
    @Test
    void bracesThatStandForTooManyPatternsAreRefused() {
        assertThatThrownBy(() -> find("{a,b}".repeat(26)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a glob must stand for at most 1000 others: ")
                .hasMessageEndingWith("; use * or several globs");
        assertThatThrownBy(() -> find("{".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a glob must have at most 100 braces: " + "{".repeat(197) + "...");
        assertThat(FileGlob.alternatives("{a,b}".repeat(9))).hasSize(512);
    }
}
