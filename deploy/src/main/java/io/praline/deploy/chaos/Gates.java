package io.praline.deploy.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where names lead in the processes of a run, and the gates between those that are to be cut off. Belongs to one thread. */
final class Gates implements AutoCloseable {
    static final String LOOPBACK = "127.0.0.1";

    /** Those who are cut off have each an address of their own, where gates listen. */
    private static final byte[] GATED = {127, 0, 73, 0};

    private final Schedule schedule;
    private final List<Target> targets;
    private final Path folder;
    private final List<Integer> hubPorts;
    private final List<Integer> workerPorts;
    private final Map<Target, Map<Target, List<Gate>>> gates = new TreeMap<>();

    /**
     * There is none yet.
     *
     * @param targets all of the run, always in the same order
     * @param folder for the files of names
     * @param hubPorts where Kafka and the registry listen
     * @param workerPorts where workers listen, by number
     */
    Gates(Schedule schedule, List<Target> targets, Path folder, List<Integer> hubPorts, List<Integer> workerPorts) {
        this.schedule = schedule;
        this.targets = targets;
        this.folder = folder;
        this.hubPorts = hubPorts;
        this.workerPorts = workerPorts;
    }

    /** The file of names that a process has. */
    Path names(Target target) {
        return folder.resolve(target + ".hosts");
    }

    /** Where a name leads depends on who asks: those who are to be cut off go through a gate. */
    void prepare(Target target) {
        InetAddress address = gated(target);
        String gated = address.getHostAddress();
        List<String> lines = new ArrayList<>();
        try {
            lines.add(LOOPBACK + " " + InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException nameless) {
            // then nobody asks for it
        }
        lines.add((gate(target, Target.BROKER, address, hubPorts) ? gated : LOOPBACK) + " localhost");
        for (int worker = 0; worker < schedule.workers(); worker++) {
            Target other = Target.worker(worker);
            boolean through = target.role() == Target.Role.CLIENT
                    && gate(target, other, address, List.of(workerPorts.get(worker)));
            lines.add((through ? gated : LOOPBACK) + " " + other);
        }
        try {
            Files.write(names(target), lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + names(target) + ": " + e.getMessage(), e);
        }
    }

    private InetAddress gated(Target target) {
        byte[] bytes = GATED.clone();
        bytes[3] = (byte) (1 + targets.indexOf(target));
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("four bytes are an address", impossible);
        }
    }

    private boolean gate(Target from, Target to, InetAddress address, List<Integer> ports) {
        if (!schedule.cuts(from, to)) {
            return false;
        }
        gates.computeIfAbsent(from, one -> new TreeMap<>())
                .put(to, ports.stream().map(port -> new Gate(address, port)).toList());
        return true;
    }

    /** Nothing passes between them from now on. */
    void cut(List<Target> ends) {
        gates.get(ends.get(0)).get(ends.get(1)).forEach(Gate::shut);
    }

    /** It does again. */
    void heal(List<Target> ends) {
        gates.get(ends.get(0)).get(ends.get(1)).forEach(Gate::open);
    }

    @Override
    public void close() {
        gates.values().forEach(one -> one.values().forEach(two -> two.forEach(Gate::close)));
    }
}
