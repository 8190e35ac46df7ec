package io.praline.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a client shows a worker: that whoever made it knows the secret, for one generation of one consumer of a job, until a moment.
 *
 * <pre>
 *   token = uint8 2 | int64 expiry in seconds since 1970 | HMAC-SHA256(secret, signed)         41 bytes, little-endian
 *   signed = "praline consumer token 2" | int64 expiry | int32 consumer | int32 generation | the job's id in UTF-8
 * </pre>
 *
 * Client and worker read the secret from a file each; no topic carries it.
 */
public final class ConsumerToken {
    /** Bytes of every token. */
    public static final int BYTES = 1 + Long.BYTES + 32;

    /** A secret shorter than this could be guessed. */
    public static final int MIN_SECRET_BYTES = 16;

    /** Bytes of a secret that {@link #createSecret} makes: as many as the digest has. */
    private static final int NEW_SECRET_BYTES = 32;

    /** A secret file longer than this is some other file. */
    private static final int MAX_SECRET_BYTES = 4096;

    private static final byte FORMAT = 2;
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] PURPOSE = "praline consumer token 2".getBytes(StandardCharsets.US_ASCII);

    /**
     * How long a client's token is good: longer than clocks of two hosts are apart, also where one of them takes its own hour
     * for universal time. Each dial asks for a new one.
     */
    public static final Duration LIFE = Duration.ofHours(24);

    private ConsumerToken() {}

    /** A token for one generation of a consumer, good until {@code expiry} (whole seconds). */
    public static byte[] mint(byte[] secret, String job, int consumer, int generation, Instant expiry) {
        long expirySeconds = expiry.getEpochSecond();
        ByteBuffer token = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        token.put(FORMAT).putLong(expirySeconds).put(signature(secret, job, consumer, generation, expirySeconds));
        return token.array();
    }

    /** Whether the secret made this token for this generation of this consumer, and it has not expired. Takes the same time whichever byte is wrong. */
    public static boolean verify(byte[] secret, String job, int consumer, int generation, byte[] token, Instant now) {
        if (token.length != BYTES || token[0] != FORMAT) {
            return false;
        }
        ByteBuffer in = ByteBuffer.wrap(token).order(ByteOrder.LITTLE_ENDIAN).position(1);
        long expirySeconds = in.getLong();
        byte[] given = new byte[in.remaining()];
        in.get(given);
        boolean genuine = MessageDigest.isEqual(given, signature(secret, job, consumer, generation, expirySeconds));
        return genuine && now.getEpochSecond() < expirySeconds;
    }

    /** Whether it is a token of this secret whose time is over. */
    public static boolean isExpired(
            byte[] secret, String job, int consumer, int generation, byte[] token, Instant now) {
        return verify(secret, job, consumer, generation, token, Instant.EPOCH)
                && !verify(secret, job, consumer, generation, token, now);
    }

    /** The secret that a file holds: all of its bytes. */
    public static byte[] readSecret(Path file) {
        try {
            if (Files.isDirectory(file)) {
                throw new IllegalArgumentException(
                        "the secret " + file + " is a directory; name the file that the workers read");
            }
            long bytes = Files.size(file);
            if (bytes < MIN_SECRET_BYTES || bytes > MAX_SECRET_BYTES) {
                throw new IllegalArgumentException("the secret in " + file + " must have " + MIN_SECRET_BYTES + " to "
                        + MAX_SECRET_BYTES + " bytes, has " + bytes);
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "no file with the secret at " + file + "; copy there the one that the workers read", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the secret at " + file + ": " + e.getMessage(), e);
        }
    }

    /** Makes a file with a new random secret that only its owner can read; leaves a file that is there as it is. */
    public static void createSecret(Path file) {
        byte[] secret = new byte[NEW_SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        try {
            Path folder = file.toAbsolutePath().getParent();
            Files.createDirectories(folder);
            boolean posix = Files.getFileStore(folder).supportsFileAttributeView("posix");
            FileAttribute<?>[] ownerOnly = posix
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(
                                EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE))
                    }
                    : new FileAttribute<?>[0];
            // written beside and then linked to its name, so that nobody ever reads half a secret
            Path made = Files.createTempFile(folder, ".secret", "", ownerOnly);
            try {
                Files.write(made, secret, StandardOpenOption.WRITE);
                Files.createLink(file, made);
            } catch (FileAlreadyExistsException e) {
                return; // another process was first: its secret is the secret
            } finally {
                Files.deleteIfExists(made);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the secret at " + file + ": " + e.getMessage(), e);
        }
    }

    private static byte[] signature(byte[] secret, String job, int consumer, int generation, long expirySeconds) {
        if (secret.length < MIN_SECRET_BYTES) {
            throw new IllegalArgumentException(
                    "the secret must have at least " + MIN_SECRET_BYTES + " bytes, has " + secret.length);
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update(PURPOSE);
            mac.update(ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(expirySeconds)
                    .putInt(consumer)
                    .putInt(generation)
                    .array());
            return mac.doFinal(job.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }
}
