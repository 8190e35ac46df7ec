package io.praline.deploy.terminal;

import io.praline.client.JobFailed;
import io.praline.deploy.breakage.ClusterBroke;
import io.praline.deploy.embedded.ClusterRefused;
import io.praline.schema.FailureKind;
import io.praline.topics.ServiceUnreachable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;

/** The one place where whatever rose out of a command becomes a line and an exit code. */
public final class Failures {

    public static final String PREFIX = "praline: ";

    /** What is told of a command that was interrupted, whatever came of that. */
    public static final Told INTERRUPTED = new Told(ExitCode.INTERRUPTED, PREFIX + "interrupted");

    private Failures() {}

    /** What the user sees, and what the script that runs us gets. */
    public record Told(ExitCode code, String line) {
        public Told {
            // a job's reason was written by others
            line = OutputOptions.plain(line);
        }
    }

    public static Told tell(Throwable failure) {
        if (failure instanceof CommandFailed known) {
            return new Told(known.code(), PREFIX + oneLine(known.getMessage()));
        }
        if (failure instanceof ClusterBroke) {
            return new Told(ExitCode.BROKEN, PREFIX + oneLine(failure.getMessage()));
        }
        if (failure instanceof InterruptedException
                || failure.getCause() instanceof InterruptedException
                || failure instanceof org.apache.kafka.common.errors.InterruptException) {
            return INTERRUPTED;
        }
        if (failure instanceof ServiceUnreachable) {
            return new Told(ExitCode.UNREACHABLE, PREFIX + oneLine(failure.getMessage()));
        }
        if (failure instanceof JobFailed && failure.getCause() instanceof ServiceUnreachable) {
            return new Told(ExitCode.UNREACHABLE, PREFIX + oneLine(failure.getMessage()));
        }
        if (failure instanceof IllegalArgumentException || failure instanceof ClusterRefused) {
            return new Told(ExitCode.WRONG_USE, PREFIX + oneLine(failure.getMessage()));
        }
        if (failure.getCause() instanceof IOException cause
                && (failure instanceof UncheckedIOException || cause instanceof FileSystemException)) {
            return new Told(ExitCode.WRONG_USE, PREFIX + told(failure, cause));
        }
        if (failure instanceof JobFailed job) {
            return new Told(exitCode(job.kind()), PREFIX + oneLine(job.getMessage()));
        }
        String kind = failure.getClass().getSimpleName();
        return new Told(
                ExitCode.BROKEN,
                PREFIX + oneLine(failure.getMessage() == null ? kind : failure.getMessage()) + " ("
                        + kind.toLowerCase(Locale.ROOT) + "; --verbose shows where)");
    }

    /** Java's exceptions of files name the file, and of what is wrong their class alone. */
    private static String told(Throwable failure, IOException cause) {
        String message = oneLine(failure.getMessage());
        if (message.equals(oneLine(cause.toString()))) {
            return why(cause);
        }
        boolean nameAlone = cause instanceof FileSystemException known && known.getReason() == null;
        return nameAlone ? message + ": " + why(cause) : message;
    }

    /** A file that the user named cannot be written. */
    public static CommandFailed unwritable(Path file, IOException failed) {
        String why = failed instanceof NoSuchFileException ? "its folder is not there" : why(failed);
        return new CommandFailed(
                ExitCode.REFUSED,
                file + " cannot be written: " + oneLine(why) + "; name a file in a folder that may be written to",
                failed);
    }

    /** Why a file that the user named cannot be read or written, in words in place of a class of Java. */
    public static String why(IOException failed) {
        if (failed instanceof NoSuchFileException) {
            return "it is not there";
        }
        if (failed instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failed instanceof NotDirectoryException) {
            return "it is no folder";
        }
        if (failed instanceof FileAlreadyExistsException) {
            return "something else is there";
        }
        if (failed instanceof CharacterCodingException) {
            return "no text in UTF-8";
        }
        if (failed instanceof FileSystemException known && known.getReason() != null) {
            return known.getReason();
        }
        return oneLine(failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage());
    }

    private static ExitCode exitCode(FailureKind kind) {
        return switch (kind) {
            case REFUSED -> ExitCode.REFUSED;
            case UNREACHABLE -> ExitCode.UNREACHABLE;
            case FAILED, CACHE, NONE -> ExitCode.JOB_FAILED;
        };
    }

    /** A message may hold others' line breaks; ours is one line. */
    public static String oneLine(String message) {
        return message == null ? "no reason was given" : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
