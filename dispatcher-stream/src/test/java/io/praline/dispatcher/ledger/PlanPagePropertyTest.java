package io.praline.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.MapRows;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.topics.Agreements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Pages of every kind of split: what was encoded comes back, all of it and one by one. */
class PlanPagePropertyTest {
    /** Of one byte in UTF-8, of two that share the first (é, è), of three, and of four in two chars. */
    private static final List<String> PIECES =
            List.of("", "/", "/data/", "train-", "train-00001", "é", "è", "数", "😀", "😁", "a".repeat(300));

    private static Split.Builder split(SplitKind kind) {
        return Split.newBuilder()
                .setKind(kind)
                .setSource(0)
                .setPaths(List.of())
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(0);
    }

    private static Split file(String name) {
        return split(SplitKind.FILE).setPaths(List.of(name)).build();
    }

    /** Names that share a beginning more often than not, which may end within a character; some are empty. */
    private static Arbitrary<String> names() {
        return Arbitraries.of(PIECES).list().ofMaxSize(4).map(pieces -> String.join("", pieces));
    }

    private static Arbitrary<Long> upTo(long most) {
        return Arbitraries.longs().between(0, most);
    }

    /** The fields that the kind has of its own; ranges are given by their beginning and their length. */
    private static Arbitrary<Split.Builder> byKind(SplitKind kind) {
        return switch (kind) {
            case FILE -> names().map(name -> split(kind).setPaths(List.of(name)));
            case RECORD_RANGE ->
                Combinators.combine(names(), upTo(1L << 40), upTo(1L << 40)).as((name, from, length) -> split(kind)
                        .setPaths(List.of(name))
                        .setFrom(from)
                        .setUntil(from + length));
            case NAMES -> names().list().ofMaxSize(70).map(paths -> split(kind).setPaths(paths));
            case INTEGERS ->
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs(), Arbitraries.longs())
                        .as((from, until, step) ->
                                split(kind).setFrom(from).setUntil(until).setStep(step));
            case INDEXES ->
                Combinators.combine(upTo(1L << 40), upTo(1L << 40))
                        .as((from, length) -> split(kind).setFrom(from).setUntil(from + length));
            case WHOLE -> Arbitraries.just(kind).map(PlanPagePropertyTest::split);
        };
    }

    private static Arbitrary<Split> anySplit() {
        Arbitrary<Split.Builder> kinds = Arbitraries.of(SplitKind.class).flatMap(PlanPagePropertyTest::byKind);
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 300),
                        upTo(Long.MAX_VALUE).injectNull(0.5),
                        upTo(Long.MAX_VALUE),
                        names().list().ofMaxSize(3))
                .as((split, source, records, bytes, versions) -> split.setSource(source)
                        .setVersions(versions)
                        .setRecords(records)
                        .setBytes(bytes)
                        .build());
    }

    @Provide
    Arbitrary<Split> splits() {
        return anySplit();
    }

    @Provide
    Arbitrary<List<Split>> plans() {
        return anySplit()
                .list()
                .ofMinSize(2 * Agreements.SPLITS_A_PAGE + 1)
                .ofMaxSize(2 * Agreements.SPLITS_A_PAGE + 500);
    }

    @Provide
    Arbitrary<List<Split>> pages() {
        return anySplit().list().ofMaxSize(40);
    }

    @Property(tries = 500)
    void whatWasEncodedComesBackWhole(@ForAll("pages") List<Split> splits) {
        byte[] page = PlanPage.encode(splits);

        assertThat(PlanPage.size(page)).isEqualTo(splits.size());
        assertThat(PlanPage.decode(page)).isEqualTo(splits);
    }

    @Property(tries = 200)
    void everySplitIsFoundByItsPlace(@ForAll("pages") List<Split> splits) {
        byte[] page = PlanPage.encode(splits);

        assertThat(IntStream.range(0, splits.size()).mapToObj(new PlanPage.Index(page)::split))
                .containsExactlyElementsOf(splits);
    }

    /** The same kind twice, one after the other: each begins where the one before it ended. */
    @Property(tries = 300)
    void eachKindIsSkippedInFull(@ForAll("splits") Split one, @ForAll("pages") List<Split> others) {
        List<Split> splits = new ArrayList<>(List.of(one, one));
        splits.addAll(others);
        splits.add(file("/data/last"));
        byte[] page = PlanPage.encode(splits);

        assertThat(new PlanPage.Index(page).split(splits.size() - 1)).isEqualTo(file("/data/last"));
        assertThat(new PlanPage.Index(page).split(1)).isEqualTo(one);
    }

    // 2 splits | FILE, 5 bytes, shares 0, 3 more: /aé | FILE, 6 bytes, shares / a and the first byte of é, 1 more: è
    @Example
    void aNameIsWhatItSharesWithTheOneBeforeAndTheRest() {
        List<Split> splits = List.of(
                split(SplitKind.FILE).setPaths(List.of("/aé")).setBytes(5).build(),
                split(SplitKind.FILE).setPaths(List.of("/aè")).setBytes(6).build());

        assertThat(HexFormat.ofDelimiter(" ").formatHex(PlanPage.encode(splits)))
                .isEqualTo("02 00 05 00 04 2f 61 c3 a9 00 06 03 01 a8");
    }

    // kind 1 + 8 x source + 16 x records = 25: source 3, 7 records, 9 bytes, name x, from 2, of length 4
    @Example
    void aRangeOfAFileIsItsBeginningAndItsLength() {
        Split range = split(SplitKind.RECORD_RANGE)
                .setSource(3)
                .setRecords(7L)
                .setBytes(9)
                .setPaths(List.of("x"))
                .setFrom(2)
                .setUntil(6)
                .build();

        assertThat(PlanPage.encode(List.of(range))).containsExactly(1, 25, 3, 7, 9, 0, 1, 'x', 2, 4);
    }

    // 3 + 16 x records: 5 records, no bytes, from -1, until -6, step -1, each as zigzag
    @Example
    void integersMayRunBackwards() {
        Split backwards = split(SplitKind.INTEGERS)
                .setRecords(5L)
                .setFrom(-1)
                .setUntil(-6)
                .setStep(-1)
                .build();

        assertThat(PlanPage.encode(List.of(backwards))).containsExactly(1, 19, 5, 0, 1, 11, 1);
    }

    @Example
    void anEmptyNameAmongOthersStaysEmpty() {
        List<Split> splits = List.of(
                file(""),
                file("/data/a"),
                file(""),
                split(SplitKind.NAMES)
                        .setPaths(List.of("", "/data/b", "", "/data/b"))
                        .build());

        assertThat(PlanPage.decode(PlanPage.encode(splits))).isEqualTo(splits);
        assertThat(new PlanPage.Index(PlanPage.encode(splits)).split(3)).isEqualTo(splits.get(3));
    }

    // paths of 81 bytes: of each, 14 to 17 are the split's kind and size, two lengths, and the name from the digit on
    // that is not the one before's
    @Example
    void aFullPageOfOneFolderIsSmall() {
        String folder = "/mnt/datasets/imagenet/2012/train/as-tfrecord/shuffled/seed7/";
        List<Split> splits = IntStream.range(0, Agreements.SPLITS_A_PAGE)
                .mapToObj(number -> file(folder + "train-%05d-of-01000".formatted(number)))
                .toList();
        byte[] page = PlanPage.encode(splits);

        assertThat(PlanPage.decode(page)).isEqualTo(splits);
        assertThat(page.length / Agreements.SPLITS_A_PAGE).isEqualTo(14);
    }

    // what lies before the mark behind which a split begins is spoilt: whoever read it would not find the split
    @Example
    void aSplitIsFoundWithoutThoseFarBeforeIt() {
        List<Split> splits = IntStream.range(0, Agreements.SPLITS_A_PAGE)
                .mapToObj(number -> file("/data/train-%05d-of-01000".formatted(number)))
                .toList();
        byte[] page = PlanPage.encode(splits);
        PlanPage.Index index = new PlanPage.Index(page);
        int before = PlanPage.encode(splits.subList(0, 31 * PlanPage.Index.EVERY)).length;

        Arrays.fill(page, 0, before, (byte) 0xFF);
        page[0] = 1; // of a number that tells how many splits there are, nothing more is looked at

        assertThat(IntStream.range(31 * PlanPage.Index.EVERY, splits.size()).mapToObj(index::split))
                .containsExactlyElementsOf(splits.subList(31 * PlanPage.Index.EVERY, splits.size()));
    }

    @Example
    void aPageThatCameAnewIsReadAnew() {
        Ledger ledger = new Ledger(new MapRows());
        ledger.savePage("j", 0, PlanPage.encode(List.of(file("/data/old"), file("/data/old"))));
        assertThat(ledger.split("j", 1)).isEqualTo(file("/data/old"));

        ledger.savePage("j", 0, PlanPage.encode(List.of(file("/data/a"), file("/data/b"))));

        assertThat(ledger.split("j", 1)).isEqualTo(file("/data/b"));
    }

    // 2,001 splits or some more: two full pages and a third
    @Property(tries = 2)
    void aPlanOfSeveralPagesIsReadByOrdinal(@ForAll("plans") List<Split> splits) {
        Ledger ledger = new Ledger(new MapRows());
        for (int page = 0; page < 3; page++) {
            List<Split> onIt = splits.subList(
                    page * Agreements.SPLITS_A_PAGE, Math.min(splits.size(), (page + 1) * Agreements.SPLITS_A_PAGE));
            ledger.savePage("j", page, PlanPage.encode(onIt));
        }

        for (int ordinal : new int[] {0, 1, 999, 1_000, 1_001, 1_999, 2_000, splits.size() - 1}) {
            assertThat(ledger.split("j", ordinal)).isEqualTo(splits.get(ordinal));
        }
        assertThatThrownBy(() -> ledger.split("j", 3_000))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job j has no page for split 3000");
    }

    @Example
    void aKindThatNobodyWritesIsLoud() {
        assertThatThrownBy(() -> PlanPage.decode(new byte[] {1, 6, 0}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a page holds a split of kind 6");
    }
}
