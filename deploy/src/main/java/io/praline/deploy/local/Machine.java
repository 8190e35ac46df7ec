package io.praline.deploy.local;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** What this machine has, and how busy it is. */
public final class Machine {

    private Machine() {}

    public static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }

    /** The load average over a minute: what a benchmark's numbers are to be read with. */
    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    public static long cpuNanos(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }
}
