package io.praline.worker.storage;

import java.util.OptionalLong;

/** How a worker comes to data that lies elsewhere. */
public record StorageSettings(S3Settings s3, StageSettings stage) {
    /** AWS itself, and the folder for temporary files. */
    public static StorageSettings usual() {
        return new StorageSettings(
                S3Settings.USUAL, new StageSettings(StageSettings.usualFolder(), OptionalLong.empty()));
    }
}
