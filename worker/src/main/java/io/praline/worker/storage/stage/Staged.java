package io.praline.worker.storage.stage;

import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.StoreFailed;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** One content of one object, or a range of it, on its way to the disk or there. What changes is guarded by {@link Staging}. */
final class Staged {
    /** How far it is. */
    enum Stage {
        WAITING,
        COMING,
        ON_DISK,
        /** It was on disk, and somebody took it away. */
        GONE
    }

    /** Ends the names of contents that serve nobody who comes later. */
    static final String PASSING = ".passing";

    private final String address;
    private final FileVersion version;
    private final Extent extent;
    private final String key;
    private final CompletableFuture<Void> there = new CompletableFuture<>();
    private final AtomicLong fetched = new AtomicLong();
    private volatile Optional<StoreFailed> refused = Optional.empty();
    private int readers;
    private Stage stage = Stage.WAITING;
    private volatile boolean unwanted;

    Staged(String address, FileVersion version, Extent extent) {
        this.address = address;
        this.version = version;
        this.extent = extent;
        this.key = extent.name(key(address, version) + (version.lasts() ? "" : PASSING));
    }

    /** What it is called on disk: another content is called otherwise, so that whatever has this name is this content. */
    static String key(String address, FileVersion version) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((address + "\n" + version.text()).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    String address() {
        return address;
    }

    FileVersion version() {
        return version;
    }

    /** Which bytes of it. */
    Extent extent() {
        return extent;
    }

    /** How many bytes of it. */
    long bytes() {
        return extent.bytes();
    }

    /** Its file's name. */
    String key() {
        return key;
    }

    /** Completes once it is on disk, or with why it is not. */
    CompletableFuture<Void> there() {
        return there;
    }

    /** Why the store was last asked again for it; empty where something of it has come since. */
    Optional<StoreFailed> refused() {
        return refused;
    }

    void refused(Optional<StoreFailed> why) {
        refused = why;
    }

    Stage stage() {
        return stage;
    }

    void stage(Stage next) {
        stage = next;
    }

    int readers() {
        return readers;
    }

    void readers(int number) {
        readers = number;
    }

    /** Bytes of it that came, those that came twice too. */
    AtomicLong fetched() {
        return fetched;
    }

    /** Nobody waits for it any more; what fetches it looks at this now and then. */
    boolean unwanted() {
        return unwanted;
    }

    void unwanted(boolean none) {
        unwanted = none;
    }
}
