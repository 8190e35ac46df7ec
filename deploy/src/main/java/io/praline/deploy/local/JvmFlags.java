package io.praline.deploy.local;

import java.util.ArrayList;
import java.util.List;

/** The flags that every JVM of ours gets; the praline script has the same for the first one. */
final class JvmFlags {

    private JvmFlags() {}

    /** @param feature Java's version, such as 17 */
    static List<String> of(int feature) {
        List<String> flags = new ArrayList<>(List.of(
                "-Xlog:disable",
                "-XX:+UseSerialGC",
                // else a sixty-fourth of the host is filled before anything is collected
                "-Xms48m",
                // a process that has lost a thread to it looks alive and is not
                "-XX:+ExitOnOutOfMemoryError",
                // optimising takes half a core for the first minute: the work is TensorFlow's and the kernel's
                "-XX:TieredStopAtLevel=1",
                "-Djava.awt.headless=true",
                // JavaCPP would refuse TensorFlow's tensors once they are four times the heap, and ask the kernel at
                // each
                // allocation for the process's size to know
                "-Dorg.bytedeco.javacpp.maxBytes=0",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0"));
        if (feature >= 22) {
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        if (feature >= 23) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        return flags;
    }
}
