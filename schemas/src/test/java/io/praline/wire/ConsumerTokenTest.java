package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsumerTokenTest {
    private static final byte[] SECRET = "sixteen bytes or more".getBytes(StandardCharsets.US_ASCII);
    private static final Instant EXPIRY = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant BEFORE = EXPIRY.minusSeconds(1);

    private final byte[] token = ConsumerToken.mint(SECRET, "job", 3, 5, EXPIRY);

    @Test
    void aTokenIsGoodForItsConsumerUntilItExpires() {
        assertThat(ConsumerToken.verify(SECRET, "job", 3, 5, token, BEFORE)).isTrue();
        assertThat(ConsumerToken.verify(SECRET, "job", 3, 5, token, EXPIRY)).isFalse();
    }

    // who comes with one that was never good is not asked for a newer one
    @Test
    void onlyATokenOfThisSecretIsOverSomeTime() {
        byte[] other = "another secret, as long".getBytes(StandardCharsets.US_ASCII);
        assertThat(ConsumerToken.isExpired(SECRET, "job", 3, 5, token, BEFORE)).isFalse();
        assertThat(ConsumerToken.isExpired(SECRET, "job", 3, 5, token, EXPIRY)).isTrue();
        assertThat(ConsumerToken.isExpired(other, "job", 3, 5, token, EXPIRY)).isFalse();
        assertThat(ConsumerToken.isExpired(SECRET, "job", 4, 5, token, EXPIRY)).isFalse();
    }

    @Test
    void aTokenIsGoodForNothingElse() {
        byte[] other = "another secret, as long".getBytes(StandardCharsets.US_ASCII);
        assertThat(ConsumerToken.verify(other, "job", 3, 5, token, BEFORE)).isFalse();
        assertThat(ConsumerToken.verify(SECRET, "jo", 3, 5, token, BEFORE)).isFalse();
        assertThat(ConsumerToken.verify(SECRET, "job", 4, 5, token, BEFORE)).isFalse();
        assertThat(ConsumerToken.verify(SECRET, "job", 3, 6, token, BEFORE)).isFalse();
        assertThat(ConsumerToken.verify(SECRET, "job", 3, 5, new byte[0], BEFORE))
                .isFalse();
    }

    @Test
    void noBitOfATokenCanBeChanged() {
        for (int bit = 0; bit < token.length * 8; bit++) {
            byte[] changed = token.clone();
            changed[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThat(ConsumerToken.verify(SECRET, "job", 3, 5, changed, BEFORE))
                    .isFalse();
        }
    }

    @Test
    void aSecretIsMadeOnceAndOnlyItsOwnerReadsIt(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("below").resolve("secret");
        ConsumerToken.createSecret(file);
        byte[] secret = ConsumerToken.readSecret(file);
        ConsumerToken.createSecret(file);
        assertThat(ConsumerToken.readSecret(file)).isEqualTo(secret).hasSize(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(file.getParent().toFile().list()).containsExactly("secret");
    }

    @Test
    void aSecretThatIsMissingOrTooShortIsRefusedNamingTheFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("secret");
        assertThatThrownBy(() -> ConsumerToken.readSecret(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no file with the secret at " + file + "; copy there the one that the workers read");
        assertThatThrownBy(() -> ConsumerToken.readSecret(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the secret " + folder + " is a directory; name the file that the workers read");
        Files.writeString(file, "short");
        assertThatThrownBy(() -> ConsumerToken.readSecret(file))
                .hasMessage("the secret in " + file + " must have 16 to 4096 bytes, has 5");
    }

    // Python: hmac.new(b"sixteen bytes or more", b"praline consumer token 2" + struct.pack("<qii", 1795262400, 3, 5) +
    // b"job",
    // hashlib.sha256)
    @Test
    void aTokenIsWhatOthersComputeFromTheFormula() {
        assertThat(HexFormat.of().formatHex(token))
                .isEqualTo(
                        "02" + "c087016b00000000" + "9d14410bea81912f40dc45edce771bbfe9e5677c406b6af5650087568b8c93c1");
    }

    @Test
    void aSecretHas16To4096Bytes(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("secret");
        for (int bytes : new int[] {16, 4_096}) {
            assertThat(ConsumerToken.readSecret(Files.write(file, new byte[bytes])))
                    .hasSize(bytes);
        }
        for (int bytes : new int[] {15, 4_097}) {
            Files.write(file, new byte[bytes]);
            assertThatThrownBy(() -> ConsumerToken.readSecret(file))
                    .hasMessage("the secret in " + file + " must have 16 to 4096 bytes, has " + bytes);
        }
        assertThat(ConsumerToken.mint(new byte[16], "job", 3, 5, EXPIRY)).hasSize(ConsumerToken.BYTES);
        assertThatThrownBy(() -> ConsumerToken.mint(new byte[15], "job", 3, 5, EXPIRY))
                .hasMessage("the secret must have at least 16 bytes, has 15");
    }

    @Test
    void noTwoSecretsAreEqual(@TempDir Path folder) {
        ConsumerToken.createSecret(folder.resolve("one"));
        ConsumerToken.createSecret(folder.resolve("two"));
        assertThat(ConsumerToken.readSecret(folder.resolve("one")))
                .isNotEqualTo(ConsumerToken.readSecret(folder.resolve("two")));
    }
}
