package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.praline.identity.AttemptKey;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of each small frame, as the table in the package's documentation draws them. */
class FrameBytesTest {
    private static final HelloFrame HELLO = new HelloFrame(
            FrameLimits.VERSION, new AttemptKey("job", 1, 2), 3, 8, "c", "w", new byte[] {-1, 0}, -1, 6, 5, 4, "");
    private static final HelloFrame SHARING = new HelloFrame(
            FrameLimits.VERSION, new AttemptKey("job", 1, 2), 3, 8, "c", "w", new byte[] {-1, 0}, -1, 6, 5, 4, "seg");

    private static final String HELLO_BYTES = "01 00 0300" + "50524c4e" + "01000000 02000000 03000000 04000000"
            + "ffffffffffffffff 0600000000000000 0500000000000000" + "08000000"
            + "0300 6a6f62  0100 63  0100 77  0200 ff00";

    static Map<Frame, String> frames() {
        return Map.ofEntries(
                Map.entry(HELLO, HELLO_BYTES),
                Map.entry(SHARING, HELLO_BYTES.replaceFirst("01 00", "01 01") + "0300 736567"),
                Map.entry(new WelcomeFrame("w1", false), "02 00 0300  0200 7731"),
                Map.entry(new WelcomeFrame("w1", true), "02 01 0300  0200 7731"),
                Map.entry(
                        new CreditFrame(2, 300, 7, -1, false, List.of()),
                        "03 00 0000 02000000 2c01000000000000 0700000000000000 ffffffffffffffff"),
                Map.entry(
                        new CreditFrame(2, 300, 7, 5, true, List.of(64L, 128L)),
                        "03 01 0000 02000000 2c01000000000000 0700000000000000 0500000000000000 4000000000000000"
                                + "8000000000000000"),
                Map.entry(new EndFrame(-1, EndOf.ATTEMPT), "05 00 0000 00000000 ffffffffffffffff"),
                Map.entry(new EndFrame(9, EndOf.EPOCH), "05 02 0000 00000000 0900000000000000"),
                Map.entry(new RefusedFrame(RefusalCode.BUSY, "no"), "06 00 0a00  0200 6e6f"),
                Map.entry(new AliveFrame(), "07 00 0000"),
                Map.entry(new SharedFrame(72, 128), "08 00 0000 48000000 8000000000000000"));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void isWrittenAsItIsDrawnAndReadsBack(Map.Entry<Frame, String> frame) {
        ByteBuf payload = Unpooled.buffer();
        frame.getKey().writePayload(payload);
        assertThat(ByteBufUtil.hexDump(payload)).isEqualTo(frame.getValue().replace(" ", ""));
        assertThat(Frame.read(payload)).isEqualTo(frame.getKey());
    }

    static List<Map.Entry<Frame, String>> entries() {
        return List.copyOf(frames().entrySet());
    }

    @Test
    void theLengthStandsBeforeThePayload() {
        ByteBuf bytes = Unpooled.buffer().writeByte(42);
        new AliveFrame().write(bytes);
        assertThat(ByteBufUtil.hexDump(bytes)).isEqualTo("2a" + "04000000" + "07000000");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                                     | a frame must not be empty
                    00                                     | no frame here has type 0
                    04 00 0000                             | no frame here has type 4
                    07                                     | a frame is cut off
                    07 00 0000 01                          | 1 bytes follow a frame of type 7
                    07 01 0000                             | an ALIVE's second byte must be 0, is 1
                    07 00 0001                             | an ALIVE's unused bytes must be 0, is 256
                    01 00 0300 50524c00                    | a HELLO must start with PRLN
                    01 02 0300 50524c4e                    | a HELLO's unused flags must be 0, is 2
                    02 02 0300 0000                        | a WELCOME's unused flags must be 0, is 2
                    02 00 0200 0000                        | the worker speaks version 2, not 3
                    02 00 0300 0100 ff                     | worker incarnation is no UTF-8
                    03 03 0000 00000000 00000000           | a CREDIT's unused flags must be 0, is 2
                    03 00 0100 00000000 00000000           | a CREDIT's unused bytes must be 0, is 1
                    05 03 0000 00000000 0000000000000000   | an END must be of attempt, job or epoch (0..2), is of 3
                    05 00 0100 00000000 0000000000000000   | an END's unused bytes must be 0, is 1
                    05 00 0000 01000000 0000000000000000   | an END's unused bytes must be 0, is 1
                    05 00 0000 00000000 feffffffffffffff   | last sequence must be at least -1, is -2
                    06 01 0a00 0000                        | a REFUSED's second byte must be 0, is 1
                    06 00 0c00 0000                        | no refusal has the number 12
                    08 01 0000 48000000 8000000000000000   | a SHARED's second byte must be 0, is 1
                    08 00 0100 48000000 8000000000000000   | a SHARED's unused bytes must be 0, is 1
                    08 00 0000 3f000000 8000000000000000   | a batch must have 64 to 1073741824 bytes, has 63
                    08 00 0000 01000040 8000000000000000   | a batch must have 64 to 1073741824 bytes, has 1073741825
                    08 00 0000 48000000 c0ffffffffffffff   | a batch must lie at a multiple of 64, not at -64
                    08 00 0000 48000000 4100000000000000   | a batch must lie at a multiple of 64, not at 65
                    """)
    void whatIsNoFrameIsMalformedAndSaysWhy(String hex, String why) {
        ByteBuf payload = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
        assertThatThrownBy(() -> Frame.read(payload))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage(why);
    }

    @Test
    void aBatchInTheSegmentMayHaveAnySizeOfABatchAndLieAtItsStart() {
        assertThat(new SharedFrame(64, 0)).isEqualTo(new SharedFrame(FrameLimits.ALIGNMENT, 0));
        assertThat(new SharedFrame(1 << 30, 0).bytes()).isEqualTo(FrameLimits.MAX_BATCH_PAYLOAD_BYTES);
    }

    @Test
    void aHelloWithNumbersThatCannotBeIsRefused() {
        AttemptKey key = new AttemptKey("job", 0, 0);
        assertThatThrownBy(() -> new HelloFrame(FrameLimits.VERSION, key, -1, 0, "", "", new byte[0], -1, 1, 0, 0, ""))
                .hasMessage("consumer must be at least 0, is -1");
        assertThatThrownBy(() -> new HelloFrame(FrameLimits.VERSION, key, 0, 0, "", "", new byte[0], -2, 1, 0, 0, ""))
                .hasMessage("received through must be at least -1, is -2");
        assertThatThrownBy(() -> new HelloFrame(FrameLimits.VERSION, key, 0, 0, "", "", new byte[0], -1, 0, 0, 0, ""))
                .hasMessage("window must be at least 1, is 0");
        assertThatThrownBy(() -> new HelloFrame(FrameLimits.VERSION, key, 0, 0, "", "", new byte[0], -1, 1, -1, 0, ""))
                .hasMessage("bytes held must be at least 0, is -1");
        assertThatThrownBy(() -> new HelloFrame(FrameLimits.VERSION, key, 0, 0, "", "", new byte[0], -1, 1, 0, -1, ""))
                .hasMessage("batches held must be at least 0, is -1");
    }

    @Test
    void aTextHasAtMostTheBytesOfItsLimitWhoeverWritesIt() {
        Frame fits = new WelcomeFrame("w".repeat(FrameLimits.MAX_INCARNATION_BYTES), false);
        ByteBuf payload = Unpooled.buffer();
        fits.writePayload(payload);
        assertThat(Frame.read(payload.duplicate())).isEqualTo(fits);

        Frame tooLong = new WelcomeFrame("w".repeat(129), false);
        assertThatThrownBy(() -> tooLong.writePayload(Unpooled.buffer()))
                .hasMessage("worker incarnation must have at most 128 bytes, has 129");
        payload.setShortLE(4, 129).writeByte('w');
        assertThatThrownBy(() -> Frame.read(payload))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage("worker incarnation must have at most 128 bytes, has 129");
    }

    // 4,000 bytes fit; an e with an accent takes two, and half of one is not kept
    @Test
    void aReasonThatFitsIsKeptAndALongerOneLosesItsEnd() {
        String fits = "x".repeat(4_000);
        assertThat(new RefusedFrame(RefusalCode.FAILED, fits).reason()).isEqualTo(fits);
        assertThat(new RefusedFrame(RefusalCode.FAILED, fits + "y").reason()).isEqualTo(fits);
        assertThat(new RefusedFrame(RefusalCode.FAILED, "x".repeat(3_999) + "\u00e9").reason())
                .isEqualTo("x".repeat(3_999));
        assertThat(new RefusedFrame(RefusalCode.FAILED, "one \r\n  two").reason())
                .isEqualTo("one two");
    }

    @Test
    void eachKindOfFrameComesToItsOwnPlace() {
        Frame.Cases<String> kinds = new Frame.Cases<>() {
            @Override
            public String hello(HelloFrame hello) {
                return "HelloFrame";
            }

            @Override
            public String welcome(WelcomeFrame welcome) {
                return "WelcomeFrame";
            }

            @Override
            public String credit(CreditFrame credit) {
                return "CreditFrame";
            }

            @Override
            public String end(EndFrame end) {
                return "EndFrame";
            }

            @Override
            public String refused(RefusedFrame refused) {
                return "RefusedFrame";
            }

            @Override
            public String alive(AliveFrame alive) {
                return "AliveFrame";
            }

            @Override
            public String shared(SharedFrame shared) {
                return "SharedFrame";
            }
        };
        assertThat(frames().keySet()).allSatisfy(frame -> assertThat(frame.match(kinds))
                .isEqualTo(frame.getClass().getSimpleName()));
    }

    @Test
    void aCreditGivesBackPartsOfTheSegmentBesideWhatItSays() {
        assertThat(CreditFrame.nothing(7, 6)).isEqualTo(new CreditFrame(0, 0, 7, 6, false, List.of()));
        CreditFrame closed = new CreditFrame(2, 300, 7, 6, true, List.of());
        assertThat(closed.freeing(List.of(64L))).isEqualTo(new CreditFrame(2, 300, 7, 6, true, List.of(64L)));
        CreditFrame freeing = closed.freeing(List.of(64L));
        assertThat(freeing.freeing(List.of())).isEqualTo(freeing);
    }

    @Test
    void whatWasNotReceivedIsInNoAccounts() {
        assertThatThrownBy(() -> CreditFrame.nothing(7, 8))
                .hasMessage("confirmed through must be at least -1, and no more than is received, 7; it is 8");
        assertThatThrownBy(() -> CreditFrame.nothing(7, -2))
                .hasMessage("confirmed through must be at least -1, and no more than is received, 7; it is -2");
    }

    @Test
    void aHelloIsToldFromAnyOtherAndDoesNotShowItsToken() {
        HelloFrame same = new HelloFrame(
                FrameLimits.VERSION, new AttemptKey("job", 1, 2), 3, 8, "c", "w", new byte[] {-1, 0}, -1, 6, 5, 4, "");
        assertThat(same).isEqualTo(HELLO).hasSameHashCodeAs(HELLO).isNotEqualTo(SHARING);
        assertThat(new HelloFrame(
                        FrameLimits.VERSION,
                        new AttemptKey("job", 1, 2),
                        3,
                        8,
                        "c",
                        "w",
                        new byte[] {-1, 1},
                        -1,
                        6,
                        5,
                        4,
                        ""))
                .isNotEqualTo(HELLO);
        assertThat(new HelloFrame(
                                FrameLimits.VERSION,
                                new AttemptKey("other", 1, 2),
                                3,
                                8,
                                "c",
                                "w",
                                new byte[0],
                                -1,
                                6,
                                5,
                                4,
                                "")
                        .hashCode())
                .isNotEqualTo(HELLO.hashCode());
        assertThat(HELLO).hasToString("HELLO job/1/2 consumer 3 generation 8 incarnation c through -1");
    }
}
