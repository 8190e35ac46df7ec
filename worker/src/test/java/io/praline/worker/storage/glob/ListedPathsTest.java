package io.praline.worker.storage.glob;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListedPathsTest {
    private static Map<String, String> paths(String... names) {
        return ListedPaths.of(List.of(names), Path.of("/home/one"));
    }

    @Test
    void relativeNamesLeadFromTheFolder() {
        assertThat(paths("a.txt", "./b.txt", "c/../d.txt", "../two/e.txt", "file:///f.txt"))
                .isEqualTo(Map.of(
                        "a.txt", "/home/one/a.txt",
                        "./b.txt", "/home/one/b.txt",
                        "c/../d.txt", "/home/one/d.txt",
                        "../two/e.txt", "/home/two/e.txt",
                        "file:///f.txt", "/f.txt"));
    }

    @Test
    void absoluteNamesAreTheirOwnPathsHoweverTheyAreWritten() {
        assertThat(paths("/home//one/a.txt", "/home/two/../one/a.txt", "a.txt"))
                .containsEntry("/home//one/a.txt", "/home//one/a.txt")
                .containsEntry("/home/two/../one/a.txt", "/home/two/../one/a.txt");
    }

    // a task tells by the path alone which of them its elements hold
    @Test
    void eachWayToWriteANameHasAPathOfItsOwn() {
        Map<String, String> paths = paths("a.txt", "./a.txt", "b/../a.txt", "/home/one/a.txt", "a.txt");

        assertThat(paths).hasSize(4).containsEntry("/home/one/a.txt", "/home/one/a.txt");
        assertThat(paths.values())
                .doesNotHaveDuplicates()
                .allSatisfy(path -> assertThat(Path.of(path).normalize()).isEqualTo(Path.of("/home/one/a.txt")));
    }

    @Test
    void addressesLeadWhereTheySay() {
        assertThat(paths("s3://bucket/a", "https://host/b")).isEmpty();
    }
}
