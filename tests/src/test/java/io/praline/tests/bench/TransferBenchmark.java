package io.praline.tests.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.praline.client.channel.ChannelListener;
import io.praline.client.channel.ChannelPool;
import io.praline.client.channel.ChannelRequest;
import io.praline.client.channel.ReceivedBatch;
import io.praline.identity.AttemptKey;
import io.praline.wire.ConsumerToken;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import io.praline.worker.delivery.DeliveryConfig;
import io.praline.worker.delivery.DeliveryServer;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What one channel moves from a worker's process to a client's, without a graph: tensors from memory that is used again,
 * handed to a loop that closes them. Beside it, in the same run, iperf3 over loopback where it is installed.
 *
 * <pre>
 *   rate = bytes of tensors / (time of the last batch - time of the first)      after a warm-up; the median of the rounds
 *
 *   java -cp ... io.praline.tests.bench.TransferBenchmark [seconds per round] [rounds] [tcp|unix ...]
 * </pre>
 */
public final class TransferBenchmark {
    private static final AttemptKey ATTEMPT = new AttemptKey("bench", 0, 0);
    private static final byte[] SECRET = "a secret for a benchmark".getBytes(StandardCharsets.US_ASCII);
    private static final int UINT8 = 4;

    private TransferBenchmark() {}

    /** @param packed 0, or elements a frame */
    private record Payload(String name, int elementBytes, int packed) {
        long frameBytes() {
            return (long) elementBytes * Math.max(1, packed);
        }

        long[] shape() {
            return packed > 0 ? new long[] {packed, elementBytes} : new long[] {elementBytes};
        }
    }

    private static final List<Payload> PAYLOADS = List.of(
            new Payload("1 KiB", 1 << 10, 256), new Payload("1 MiB", 1 << 20, 0), new Payload("38 MiB", 38 << 20, 0));

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("worker")) {
            runWorker(Path.of(args[1]), Integer.parseInt(args[2]));
            return;
        }
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 3;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        List<String> paths = args.length > 2 ? List.of(args).subList(2, args.length) : List.of("tcp", "unix");
        List<Double> iperf = new ArrayList<>();
        List<List<Result>> results = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            iperf3(Math.max(1, (int) seconds)).ifPresent(iperf::add);
            List<Result> row = new ArrayList<>();
            for (Payload payload : PAYLOADS) {
                for (String path : paths) {
                    row.add(measure(payload, path, seconds));
                }
            }
            results.add(row);
        }
        print(iperf, results);
    }

    private static void print(List<Double> iperf, List<List<Result>> results) {
        double anchor = iperf.isEmpty() ? Double.NaN : median(iperf);
        StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT, "iperf3 -l 1M: %.0f MB/s (%s)%n", anchor, iperf));
        for (int column = 0; column < results.get(0).size(); column++) {
            int at = column;
            List<Result> rounds = results.stream().map(row -> row.get(at)).toList();
            double mb = median(rounds.stream().map(Result::mbPerSecond).toList());
            Result first = rounds.get(0);
            out.append(String.format(
                    Locale.ROOT,
                    "%-7s %-5s %6.0f MB/s  %.2f of iperf3  %9.0f elements/s  client %.2f worker %.2f CPU-s/GB  client %d worker %d MB  %s%n",
                    first.payload().name(),
                    first.path(),
                    mb,
                    mb / anchor,
                    mb * 1e6 / first.payload().elementBytes(),
                    median(rounds.stream().map(Result::clientCpuPerGb).toList()),
                    median(rounds.stream().map(Result::workerCpuPerGb).toList()),
                    rounds.stream().mapToLong(Result::clientMb).max().orElse(0),
                    rounds.stream().mapToLong(Result::workerMb).max().orElse(0),
                    rounds.stream()
                            .map(r -> String.format(Locale.ROOT, "%.0f", r.mbPerSecond()))
                            .toList()));
        }
        System.out.print(out);
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    private record Result(
            Payload payload,
            String path,
            double mbPerSecond,
            double clientCpuPerGb,
            double workerCpuPerGb,
            long clientMb,
            long workerMb) {}

    private static Result measure(Payload payload, String path, double seconds) throws Exception {
        Path folder = Files.createTempDirectory("bench");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-D"))
                .toList());
        command.addAll(List.of(
                TransferBenchmark.class.getName(),
                "worker",
                folder.resolve("channel").toString(),
                Integer.toString(PAYLOADS.indexOf(payload))));
        Loop loop = new Loop();
        Process worker = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(worker.getInputStream(), StandardCharsets.UTF_8));
                ChannelPool pool = new ChannelPool()) {
            List<String> addresses = Arrays.stream(lines.readLine().split(" ", -1))
                    .filter(address -> address.startsWith(path))
                    .toList();
            long window = Long.getLong("window", Math.max(16L << 20, 3 * payload.frameBytes()));
            byte[] token =
                    ConsumerToken.mint(SECRET, "bench", 0, 0, Instant.now().plusSeconds(600));
            pool.connect(
                    new ChannelRequest(
                            ATTEMPT,
                            new ChannelRequest.Worker("", addresses, false),
                            new ChannelRequest.Consumer(0, 0, "bench", () -> token),
                            window),
                    loop);
            loop.take(seconds / 2); // warm-up
            long workerCpuBefore = cpuMs(worker.pid());
            long clientCpuBefore = cpuMs(ProcessHandle.current().pid());
            Loop.Taken taken = loop.take(seconds);
            double gb = taken.bytes() / 1e9;
            return new Result(
                    payload,
                    path,
                    taken.bytes() / taken.seconds() / 1e6,
                    (cpuMs(ProcessHandle.current().pid()) - clientCpuBefore) / 1e3 / gb,
                    (cpuMs(worker.pid()) - workerCpuBefore) / 1e3 / gb,
                    residentMb(ProcessHandle.current().pid()),
                    residentMb(worker.pid()));
        } finally {
            loop.close();
            worker.destroy();
            if (!worker.waitFor(5, TimeUnit.SECONDS)) {
                worker.destroyForcibly();
            }
            Files.deleteIfExists(folder.resolve("channel"));
            Files.deleteIfExists(folder);
        }
    }

    /** User and system time of a process, from its line in /proc (in hundredths of a second). */
    private static long cpuMs(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10;
    }

    private static long residentMb(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1000;
            }
        }
        return 0;
    }

    /** The training loop: takes a batch and closes it. */
    private static final class Loop implements ChannelListener, AutoCloseable {
        private volatile String failure = "nothing came for 10 s";
        private final BlockingQueue<ReceivedBatch> inbox = new ArrayBlockingQueue<>(1 << 16);

        /** After the channel: nothing more comes. */
        @Override
        public void close() {
            inbox.forEach(ReceivedBatch::close);
        }

        record Taken(long bytes, double seconds) {}

        Taken take(double seconds) throws InterruptedException {
            long bytes = 0;
            long start = 0;
            long end = Long.MAX_VALUE;
            long now = 0;
            while (now < end) {
                try (ReceivedBatch batch = inbox.poll(10, TimeUnit.SECONDS)) {
                    if (batch == null) {
                        throw new IllegalStateException(failure);
                    }
                    now = System.nanoTime();
                    if (start == 0) {
                        start = now; // the first batch starts the clock and is not counted
                        end = start + (long) (seconds * 1e9);
                    } else {
                        bytes += batch.data(0).remaining();
                    }
                }
            }
            return new Taken(bytes, (now - start) / 1e9);
        }

        @Override
        public void batch(ReceivedBatch batch) {
            inbox.add(batch);
        }

        @Override
        public void end(AttemptKey attempt, long lastSequence, EndOf of) {}

        @Override
        public void down(AttemptKey attempt, String reason) {
            failure = reason;
        }

        @Override
        public void refused(AttemptKey attempt, RefusalCode code, String reason) {
            failure = code + " " + reason;
        }
    }

    private static void runWorker(Path socket, int payloadIndex) throws InterruptedException {
        Payload payload = PAYLOADS.get(payloadIndex);
        DeliveryConfig config = new DeliveryConfig("127.0.0.1", 0, Optional.of(socket), SECRET, 8);
        try (DeliveryServer server = DeliveryServer.start(config)) {
            Outbox outbox = server.open(ATTEMPT, 1, Math.max(16 << 20, 2 * payload.frameBytes()));
            System.out.println(String.join(" ", server.addresses()));
            BlockingQueue<ByteBuf> free = new ArrayBlockingQueue<>(1 << 12);
            int bodies = (int) Math.max(3, Math.min(256, (32 << 20) / payload.frameBytes()));
            for (int i = 0; i < bodies; i++) {
                free.add(Unpooled.directBuffer((int) payload.frameBytes()).writeZero((int) payload.frameBytes()));
            }
            long[] tickets = new long[Math.max(1, payload.packed())];
            for (long next = 0; ; next += tickets.length) {
                for (int i = 0; i < tickets.length; i++) {
                    tickets[i] = next + i;
                }
                ByteBuf body = free.take();
                OutgoingTensor tensor = new OutgoingTensor(UINT8, payload.shape(), body);
                outbox.put(new OutgoingBatch(tickets, payload.packed(), List.of(tensor), () -> free.add(body)));
            }
        }
    }

    private static Optional<Double> iperf3(int seconds) throws IOException, InterruptedException {
        Process server;
        try {
            server = new ProcessBuilder("iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", "52017")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
        try {
            Thread.sleep(300);
            Process client = new ProcessBuilder(
                            "iperf3",
                            "-c",
                            "127.0.0.1",
                            "-p",
                            "52017",
                            "-l",
                            "1M",
                            "-J",
                            "-t",
                            Integer.toString(seconds))
                    .start();
            String json = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            client.waitFor();
            int sum = json.indexOf("\"sum_received\"");
            String key = "\"bits_per_second\":";
            int start = json.indexOf(key, sum) + key.length();
            return Optional.of(Double.parseDouble(json.substring(start, json.indexOf(',', start))) / 8 / 1e6);
        } finally {
            server.destroy();
            server.waitFor();
        }
    }
}
