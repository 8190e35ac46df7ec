package io.praline.client.stream;

import io.praline.identity.LaneKey;
import io.praline.schema.AttemptPlace;

/** What a stream wants done outside. Called under its lock, so it returns at once. */
public interface StreamEffects {
    /** Dial the attempt's worker, in this generation and with this credit window. */
    void open(LaneKey lane, AttemptPlace place, long windowBytes);

    /** Nothing more is wanted from this attempt. */
    void close(LaneKey lane);

    /** The accounts have what the loop claimed of this lane, up to and with this batch: nobody will ask its worker for that. */
    void confirmed(LaneKey lane, long through);

    /** Something is to be told that somebody waits for: ask soon what is to be sent. */
    void hurry();

    /** The loop cannot go on before the next status. */
    void awaitsNews();
}
