package io.praline.worker.planning;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.worker.graph.source.opening.ReadStaged.Renaming;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.patience.Asking;
import io.praline.worker.storage.stage.StagedName;
import io.praline.worker.storage.stage.StagedSplits;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Who reads splits, and where they lie for him.
 *
 * @param worker his name, for messages
 * @param staged the objects among them
 * @param looked how often somebody went on who reads them beside the graph
 */
public record DataReader(String worker, StagedSplits staged, AtomicLong looked) {
    public DataReader(String worker, StagedSplits staged) {
        this(worker, staged, new AtomicLong());
    }

    /** Whoever counts or searches splits has come a little further. Any thread. */
    public void goesOn() {
        looked.incrementAndGet();
        Asking.goesOn();
    }

    /** The same question; whoever asks it shows that he has come a little further. */
    public BooleanSupplier goingOn(BooleanSupplier wanted) {
        return () -> {
            goesOn();
            return wanted.getAsBoolean();
        };
    }

    /** Grows while something comes of a store, or is read beside the graph. */
    public long progress() {
        return staged.progress() + looked.get();
    }

    /**
     * Waits until a split can be opened here.
     *
     * @throws StoreFailed where it cannot be had
     * @throws CancellationException once nobody reads any more, or the thread is interrupted
     */
    public void await(AssignedSplit split) {
        try {
            staged.await(split);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while an object was awaited");
        }
    }

    /** A file of a split that is here. */
    public DataFile file(Split split, String name) {
        return new DataFile(name, staged.path(split, name));
    }

    /** Under which names a graph opens objects. */
    public Optional<Renaming> renaming() {
        return staged.root()
                .map(root -> new Renaming(
                        StagedName.PATTERN,
                        StagedName.rewrite(root),
                        StagedName.RANGE_PATTERN,
                        StagedName.rewriteRange(root)));
    }

    /** A text that names objects as the plan does. */
    public String told(String text) {
        return staged.told(text);
    }
}
