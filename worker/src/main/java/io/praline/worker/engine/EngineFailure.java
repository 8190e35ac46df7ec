package io.praline.worker.engine;

import io.praline.topics.Agreements;
import io.praline.topics.BoundedText;
import java.io.IOException;
import java.util.regex.Pattern;
import org.tensorflow.exceptions.TFFailedPreconditionException;
import org.tensorflow.exceptions.TFInvalidArgumentException;
import org.tensorflow.exceptions.TFOutOfRangeException;
import org.tensorflow.exceptions.TFPermissionDeniedException;
import org.tensorflow.exceptions.TFResourceExhaustedException;
import org.tensorflow.exceptions.TFUnimplementedException;

/** TensorFlow could not give the next element. The message is one line. */
public final class EngineFailure extends RuntimeException {
    /** What TensorFlow says of files that are damaged or gone; Java's exceptions do not carry these two codes. */
    private static final Pattern DAMAGED =
            Pattern.compile("corrupted record|truncated record|[Dd]ata loss|inflate|DATA_LOSS|Unexpected end of file");

    private static final Pattern GONE = Pattern.compile("No such file or directory|NOT_FOUND|does not exist");

    private static final Pattern NODE_TRACES = Pattern.compile("\\s*(\\{\\{[^}]*}}|\\[\\[[^\\]]*]])\\s*");

    /** Where TensorFlow says in which of its iterators a function failed, the name of the transformation is enough. */
    private static final Pattern IN_FUNCTION =
            Pattern.compile("Error in user-defined function passed to (\\S+) transformation with iterator: \\S+: ");

    /** What kind of trouble it is. */
    public enum Code {
        /** A file is damaged. */
        DATA_LOSS(true),
        /** A file is not there. */
        NOT_FOUND(true),
        /** An element or an argument is not what an operation takes. */
        INVALID_ARGUMENT(true),
        /** An operation does not do this here. */
        UNIMPLEMENTED(true),
        /** A file may not be read. */
        PERMISSION_DENIED(true),
        /** A state that an operation needs is not there, such as a table that was not filled. */
        FAILED_PRECONDITION(true),
        /** A position outside of what there is. */
        OUT_OF_RANGE(true),
        /** Memory or another resource of this machine ran out. */
        RESOURCE_EXHAUSTED(false),
        /** Anything else. */
        UNKNOWN(false);

        private final boolean dataAtFault;

        Code(boolean dataAtFault) {
            this.dataAtFault = dataAtFault;
        }
    }

    private final Code code;

    private EngineFailure(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    static EngineFailure of(RuntimeException thrown) {
        if (thrown instanceof EngineFailure failure) {
            return failure;
        }
        String message = String.valueOf(thrown.getMessage());
        return new EngineFailure(code(thrown, message), oneLine(message), thrown);
    }

    /** An entry that stands in for a split cannot be read; neither data nor pipeline is to blame. */
    public static EngineFailure ofEntry(IOException unread) {
        return new EngineFailure(Code.UNKNOWN, oneLine(String.valueOf(unread.getMessage())), unread);
    }

    /** Whether the data or the pipeline is to blame, so that trying again elsewhere would not help. */
    public boolean dataAtFault() {
        return code.dataAtFault;
    }

    public Code code() {
        return code;
    }

    private static Code code(RuntimeException thrown, String message) {
        if (thrown instanceof TFResourceExhaustedException) {
            return Code.RESOURCE_EXHAUSTED;
        }
        if (DAMAGED.matcher(message).find()) {
            return Code.DATA_LOSS;
        }
        if (GONE.matcher(message).find()) {
            return Code.NOT_FOUND;
        }
        if (thrown instanceof TFInvalidArgumentException) {
            return Code.INVALID_ARGUMENT;
        }
        if (thrown instanceof TFUnimplementedException) {
            return Code.UNIMPLEMENTED;
        }
        if (thrown instanceof TFPermissionDeniedException) {
            return Code.PERMISSION_DENIED;
        }
        if (thrown instanceof TFFailedPreconditionException) {
            return Code.FAILED_PRECONDITION;
        }
        if (thrown instanceof TFOutOfRangeException) {
            return Code.OUT_OF_RANGE;
        }
        return Code.UNKNOWN;
    }

    /** TensorFlow's message without the nodes it passed through, cut where it holds half of the data. */
    private static String oneLine(String message) {
        // cut before it is searched, which takes longer the longer it is, and again where what is put in is longer
        String first = BoundedText.cut(message.lines().findFirst().orElse(""), 4 * Agreements.REASON_BYTES);
        String line = NODE_TRACES.matcher(first).replaceAll(" ");
        String told = IN_FUNCTION.matcher(line).replaceAll("$1: ");
        return told.isBlank() ? "TensorFlow gave no reason" : BoundedText.reason(told.strip());
    }
}
