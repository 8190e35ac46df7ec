package io.praline.worker.engine;

import java.io.IOException;
import org.tensorflow.exceptions.TFInvalidArgumentException;

/** What TensorFlow would say, for the simulation. */
public final class BrokenElements {
    private BrokenElements() {}

    /** Of an element that a step cannot process. */
    public static EngineFailure of(long ticket) {
        return EngineFailure.of(new TFInvalidArgumentException("element " + ticket + " is no picture"));
    }

    /** Of an entry that cannot be read. */
    public static EngineFailure of(IOException entry) {
        return EngineFailure.ofEntry(entry);
    }
}
