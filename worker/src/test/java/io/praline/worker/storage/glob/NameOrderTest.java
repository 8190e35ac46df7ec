package io.praline.worker.storage.glob;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.StoredFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class NameOrderTest {
    private static final String LAST_OF_FEW = "s3://b/\uff5e"; // EF BD 9E
    private static final String BEYOND = "s3://b/\ud83d\ude00"; // F0 9F 98 80

    @Provide
    Arbitrary<String> names() {
        Arbitrary<Integer> points = Arbitraries.oneOf(
                Arbitraries.integers().between('a', 'c'),
                Arbitraries.integers().between(0xd7fe, 0xd7ff),
                Arbitraries.integers().between(0xe000, 0xe002),
                Arbitraries.integers().between(0xfffd, 0x10002),
                Arbitraries.integers().between(0x10fffe, 0x10ffff));
        return points.list().ofMaxSize(4).map(all -> all.stream()
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString());
    }

    @Property
    void itIsThatOfTheirBytes(@ForAll("names") String one, @ForAll("names") String other) {
        int bytes =
                Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
        assertThat(Integer.signum(NameOrder.BY_CODE_POINT.compare(one, other))).isEqualTo(Integer.signum(bytes));
    }

    private static Iterator<StoredFile> listed(String... names) {
        return Arrays.stream(names).map(StoredFile::local).iterator();
    }

    // two patterns that overlap: a store tells what matches each by the order of bytes
    @Test
    void whatSeveralPatternsMatchIsReadOnce() {
        List<String> read = new ArrayList<>();
        FileStores.merged(List.of(listed(LAST_OF_FEW, BEYOND), listed(BEYOND)))
                .forEachRemaining(file -> read.add(file.name()));
        assertThat(read).containsExactly(LAST_OF_FEW, BEYOND);
    }
}
