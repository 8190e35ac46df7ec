package io.praline.deploy.cli.pipeline;

import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.StorageSettings;
import io.praline.worker.storage.stage.StagedSplits;
import io.praline.worker.storage.stage.Staging;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** How this process comes to data that lies elsewhere. Not safe for several threads. */
final class LocalStorage implements AutoCloseable {
    private final StorageSettings settings;
    private final FileStores stores;
    private final Deque<Runnable> open = new ArrayDeque<>();
    private Optional<StagedSplits> staged = Optional.empty();

    LocalStorage(StorageSettings settings) {
        this.settings = settings;
        this.stores = new FileStores(settings.s3());
        open.push(stores::close);
    }

    FileStores stores() {
        return stores;
    }

    /** Who reads, in messages, and where it lies for him. */
    DataReader reader(String who) {
        if (staged.isEmpty()) {
            Staging staging = Staging.open(stores, settings.stage());
            open.push(staging::close);
            staged = Optional.of(staging.reading());
            open.push(staged.get()::close);
        }
        return new DataReader(who, staged.get());
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
