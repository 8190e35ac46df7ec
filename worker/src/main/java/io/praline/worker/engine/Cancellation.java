package io.praline.worker.engine;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
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
    private final IdentityHashMap<Session, Runnable> open = new IdentityHashMap<>();

    private final List<Runnable> waiting = new ArrayList<>(); // guarded by this

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

    /**
     * Stops what is open, and whatever is opened later. Does not wait for it: TensorFlow's own sleeping dataset can hold what
     * its cancellation waits for, and then neither comes back.
     */
    public void request() {
        requested = true;
        Thread stopping = new Thread(this::stop, "cancellation");
        stopping.setDaemon(true);
        stopping.start();
    }

    private synchronized void stop() {
        waiting.forEach(Runnable::run);
        open.forEach((session, release) -> {
            release.run();
            closeRunning(session);
        });
        open.clear();
    }

    /**
     * What is waited for elsewhere is to be looked at again once it is requested, at once where it was.
     *
     * @param wake does not wait itself
     */
    public synchronized void whenRequested(Runnable wake) {
        waiting.add(wake);
        if (requested) {
            wake.run();
        }
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
     * @param release ends what waits for a queue in the session, beforehand: a wait that only freeing the session ends may
     *     outlive the queue that it waits for, which crashes the process
     * @throws CancellationException if nobody waits for the attempt any more
     */
    void add(Session session, Runnable release) {
        check();
        synchronized (this) {
            check();
            open.put(session, release);
        }
    }

    /** The session is about to be freed; gives whether it was not cancelled, so that what waits in it does so still. */
    synchronized boolean remove(Session session) {
        return open.remove(session) != null;
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
