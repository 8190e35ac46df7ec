package io.praline.worker.engine;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.tensorflow.Session;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;

/**
 * Stops all that is done for one attempt, in every session that was made with it: what waits there comes back at once, and
 * what computes as soon as the op does that runs just now. From then on its sessions answer with a {@link
 * CancellationException}, and never say that they came to their end. To be requested only once nobody wants what is lost
 * with that. Any thread.
 *
 * <p>TensorFlow's own word for it is to close a session. Java's {@link Session#close} waits for the runs under way before it
 * says so, which a pull that waits for splits or never comes to an element would not survive, so it is said to the C library.
 */
public final class Cancellation {
    private static final Field HANDLE = handle();

    // guarded by this: a session is freed only after it was taken out
    private final Set<Session> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private volatile boolean requested;

    private static Field handle() {
        try {
            Field field = Session.class.getDeclaredField("nativeHandle");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException otherRelease) {
            throw new LinkageError("this release of TensorFlow's Java cannot close a session that runs", otherRelease);
        }
    }

    /** Stops what is open, and whatever is opened later. Does not wait for it. */
    public synchronized void request() {
        requested = true;
        open.forEach(Cancellation::closeRunning);
        open.clear();
    }

    /** Whether nobody waits for the attempt any more. */
    public boolean requested() {
        return requested;
    }

    /**
     * Goes on only while somebody waits for the attempt.
     *
     * @throws CancellationException if nobody does
     */
    public void check() {
        if (requested) {
            throw new CancellationException("the attempt was stopped");
        }
    }

    /**
     * Cancels the runs of this session from now on; until it is freed it must be taken out.
     *
     * @throws CancellationException if nobody waits for the attempt any more
     */
    synchronized void add(Session session) {
        check();
        open.add(session);
    }

    /** The session is about to be freed. */
    synchronized void remove(Session session) {
        open.remove(session);
    }

    private static void closeRunning(Session session) {
        try (TF_Status status = TF_Status.newStatus()) {
            tensorflow.TF_CloseSession((TF_Session) HANDLE.get(session), status);
            status.throwExceptionIfNotOK();
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
