package io.praline.client;

/** Which elements of a job are kept and read again, in later epochs and by other jobs with the same steps on the same data. */
public enum CacheMode {
    /** What pays, by measurement. */
    AUTO,
    /** None. */
    OFF,
    /** Records as they are read. */
    SOURCE,
    /** What comes out of a transformation: of the one that pays most. */
    PREFIX,
    /** As much as can be kept. */
    FULL
}
