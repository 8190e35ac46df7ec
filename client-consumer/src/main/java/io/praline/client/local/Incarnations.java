package io.praline.client.local;

import io.praline.schema.ConsumerSlot;
import io.praline.schema.JobStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process is called as a consumer: a UUID and, where Linux tells it, which process that is, as
 * {@code UUID@PLACE.PID.START}. So one that comes in its place can see that it is dead, and that nobody need wait for its lease.
 *
 * <p>{@code PLACE} is a digest of what two processes have in common where the one is sure to see the other for as long as it
 * lives: the boot, the host's name, the namespaces of process ids, users and time, and the user. Of all others nothing is known.
 *
 * @param proc where Linux tells of processes
 */
public record Incarnations(Path proc) {
    /** Those of this process's host. */
    public static final Incarnations HERE = new Incarnations(Path.of("/proc"));

    private static final Pattern NAMED =
            Pattern.compile("[^@]+@(?<place>\\p{XDigit}+)\\.(?<pid>\\d+)\\.(?<start>\\d+)");

    private static final int PLACE_BYTES = 8;

    /** Of what follows the name in a process's {@code stat}: its state, how many threads it has, when it began. */
    private static final int STATE = 0;

    private static final int THREADS = 17;
    private static final int START = 19;

    /** Another one for this process. */
    public String next() {
        String unique = UUID.randomUUID().toString();
        try {
            String pid = ownPid();
            return unique + "@" + place() + "." + pid + "." + stat(pid)[START];
        } catch (IOException | IllegalStateException unknown) {
            return unique;
        }
    }

    /** The process that the newest status has in this place; empty where it has none there. */
    public static Optional<String> holder(Optional<JobStatus> newest, int consumer) {
        return newest.stream()
                .flatMap(status -> status.getSlots().stream())
                .filter(slot -> slot.getConsumer() == consumer)
                .map(ConsumerSlot::getIncarnation)
                .filter(named -> !named.isEmpty())
                .findFirst();
    }

    /** The same where it is known to be dead. */
    public Optional<String> deadHolder(Optional<JobStatus> newest, int consumer) {
        return holder(newest, consumer).filter(this::isDead);
    }

    /** Whether the process is known to be dead; false of any that would not be seen from here. */
    boolean isDead(String incarnation) {
        Matcher named = NAMED.matcher(incarnation);
        try {
            if (!named.matches() || !place().equals(named.group("place"))) {
                return false;
            }
            ownPid();
            String pid = named.group("pid");
            return isGone(pid, named.group("start")) && isFirstSeen();
        } catch (IOException | IllegalStateException unknown) {
            return false;
        }
    }

    private boolean isGone(String pid, String start) throws IOException {
        try {
            String[] told = stat(pid);
            // what nobody has waited for yet keeps its number; while a thread of it is left it is not over
            boolean ended = "ZX".contains(told[STATE]) && Integer.parseInt(told[THREADS]) <= 1;
            return ended || !told[START].equals(start);
        } catch (NoSuchFileException gone) {
            return !Files.exists(proc.resolve(pid));
        }
    }

    /** Processes may be hidden from whom they do not belong to, the first one of all among them. */
    private boolean isFirstSeen() {
        return Files.isReadable(proc.resolve("1").resolve("stat"));
    }

    /** This process's id, where it is told as it is counted in this process's own namespace. */
    private String ownPid() throws IOException {
        String counted = Files.readString(proc.resolve("self").resolve("status"))
                .lines()
                .filter(line -> line.startsWith("NSpid:"))
                .map(line -> line.substring("NSpid:".length()).strip())
                .findFirst()
                .orElse("");
        if (!counted.matches("\\d+")) {
            throw new IllegalStateException("process ids are another namespace's");
        }
        return counted;
    }

    private String[] stat(String pid) throws IOException {
        String all = Files.readString(proc.resolve(pid).resolve("stat"), StandardCharsets.ISO_8859_1);
        // a name may hold blanks and brackets
        String[] told = all.substring(all.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (told.length <= START) {
            throw new IllegalStateException("a process is told of in another way");
        }
        return told;
    }

    private String place() throws IOException {
        Path self = proc.resolve("self");
        Path kernel = proc.resolve("sys").resolve("kernel");
        String all = String.join(
                "\n",
                Files.readString(kernel.resolve("random").resolve("boot_id")).strip(),
                Files.readString(kernel.resolve("hostname")).strip(),
                namespace("pid"),
                namespace("user"),
                namespace("time"),
                Files.getAttribute(self, "unix:uid").toString());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, PLACE_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** Empty where the kernel has none of that kind. */
    private String namespace(String kind) throws IOException {
        try {
            return Files.readSymbolicLink(proc.resolve("self").resolve("ns").resolve(kind))
                    .toString();
        } catch (NoSuchFileException none) {
            return "";
        }
    }
}
