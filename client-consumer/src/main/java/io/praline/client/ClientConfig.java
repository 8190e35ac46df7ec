package io.praline.client;

import io.praline.client.metrics.ReportLimits;
import io.praline.client.metrics.WindowLimits;
import io.praline.topics.Agreements;
import io.praline.topics.KafkaSettings;
import io.praline.wire.trace.BatchTraces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a training process reaches its jobs.
 *
 * @param secretFile the file whose bytes workers know too: from it the client makes the tokens that workers ask for
 * @param pool the pool its jobs run in
 * @param host this host's name, as workers call it: one of the same name is dialled by its Unix socket
 * @param memoryBytes what received batches of one stream may hold until they are closed; direct memory
 * @param lease how long the loop gets batches without an answer of the dispatcher, until that has told its own time
 * @param reportInterval how often consumption is reported
 * @param windows when a window of measurement is full: policies decide by windows, so shorter ones make them quicker and less
 *     sure
 * @param sharedDir a folder that workers see under the same path, for graphs over 512 KiB; empty: such are refused
 * @param path which of a worker's addresses is dialled
 * @param patience how long a client waits for a cluster that is away, before it is connected and later, until it or its stream
 *     fails; empty: for ever. It says what it waits for after five seconds
 * @param traces tells how batches go; empty: nobody does
 */
public record ClientConfig(
        KafkaSettings kafka,
        Path secretFile,
        String pool,
        String host,
        long memoryBytes,
        Duration lease,
        Duration reportInterval,
        WindowLimits windows,
        Optional<Path> sharedDir,
        ChannelPath path,
        Optional<Duration> patience,
        Optional<BatchTraces> traces) {
    private static final long DEFAULT_MEMORY_BYTES = 256L << 20;

    public ClientConfig {
        Agreements.requireName("pool", pool);
        if (memoryBytes < 1 << 20) {
            throw new IllegalArgumentException("memoryBytes must be at least 1 MiB, is " + memoryBytes);
        }
        if (lease.compareTo(Duration.ofSeconds(5)) < 0) {
            throw new IllegalArgumentException("lease must be at least 5 s, is " + lease);
        }
        if (reportInterval.isNegative() || reportInterval.isZero()) {
            throw new IllegalArgumentException("reportInterval must be above 0, is " + reportInterval);
        }
        if (patience.filter(time -> time.isNegative() || time.isZero()).isPresent()) {
            throw new IllegalArgumentException("patience must be above 0, is " + patience.get());
        }
    }

    /** The defaults: pool {@code default}, this host, 256 MiB, lease 30 s, a report every 500 ms, windows of 500 batches or 10 s. */
    public static ClientConfig of(KafkaSettings kafka, Path secretFile) {
        return new ClientConfig(
                kafka,
                secretFile,
                Agreements.USUAL_POOL,
                thisHost(),
                DEFAULT_MEMORY_BYTES,
                ReportLimits.DEFAULT.lease(),
                ReportLimits.DEFAULT.interval(),
                WindowLimits.DEFAULT,
                Optional.empty(),
                ChannelPath.AUTO,
                Optional.empty(),
                Optional.empty());
    }

    public ClientConfig withPool(String name) {
        return new ClientConfig(
                kafka,
                secretFile,
                name,
                host,
                memoryBytes,
                lease,
                reportInterval,
                windows,
                sharedDir,
                path,
                patience,
                traces);
    }

    public ClientConfig withWindows(WindowLimits limits) {
        return new ClientConfig(
                kafka,
                secretFile,
                pool,
                host,
                memoryBytes,
                lease,
                reportInterval,
                limits,
                sharedDir,
                path,
                patience,
                traces);
    }

    public ClientConfig withSharedDir(Path folder) {
        return new ClientConfig(
                kafka,
                secretFile,
                pool,
                host,
                memoryBytes,
                lease,
                reportInterval,
                windows,
                Optional.of(folder),
                path,
                patience,
                traces);
    }

    public ClientConfig withPath(ChannelPath chosen) {
        return new ClientConfig(
                kafka,
                secretFile,
                pool,
                host,
                memoryBytes,
                lease,
                reportInterval,
                windows,
                sharedDir,
                chosen,
                patience,
                traces);
    }

    /** Gives up a cluster that is away for so long. */
    public ClientConfig withPatience(Duration most) {
        return new ClientConfig(
                kafka,
                secretFile,
                pool,
                host,
                memoryBytes,
                lease,
                reportInterval,
                windows,
                sharedDir,
                path,
                Optional.of(most),
                traces);
    }

    /** Tells by these how batches go, if there are any. */
    public ClientConfig withTraces(Optional<BatchTraces> ways) {
        return new ClientConfig(
                kafka,
                secretFile,
                pool,
                host,
                memoryBytes,
                lease,
                reportInterval,
                windows,
                sharedDir,
                path,
                patience,
                ways);
    }

    private static String thisHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unknown) {
            return "localhost";
        }
    }
}
