package io.praline.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsTest {
    /* A broker that was killed comes back to its port: had a connection been given it in between, it could not. */
    @Test
    void noConnectionOfThisMachineIsGivenOneOfThem() throws IOException {
        List<Integer> ports = Ports.free(20);

        assertThat(ports).hasSize(20).doesNotHaveDuplicates();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket far = new ServerSocket(0, 1, loopback);
                Socket connection = new Socket(loopback, far.getLocalPort())) {
            assertThat(connection.getLocalPort()).isGreaterThanOrEqualTo(Ports.firstOfConnections());
        }
        assertThat(ports).allMatch(port -> port < Ports.firstOfConnections());
    }
}
