package io.praline.client.pipeline;

/** How the bytes of a file are packed. */
public enum Compression {
    NONE(""),
    GZIP("GZIP"),
    ZLIB("ZLIB");

    private final String word;

    Compression(String word) {
        this.word = word;
    }

    /** The word that TensorFlow's readers take. */
    String word() {
        return word;
    }
}
