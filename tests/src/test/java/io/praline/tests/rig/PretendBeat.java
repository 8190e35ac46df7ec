package io.praline.tests.rig;

import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import java.util.List;

/** What a worker tells that does nothing and is not there. */
public final class PretendBeat {
    private PretendBeat() {}

    /** That it has a slot in this pool. */
    public static WorkerEvent of(String pool, String worker) {
        return WorkerEvent.newBuilder()
                .setPool(pool)
                .setBody(WorkerHeartbeat.newBuilder()
                        .setWorker(worker)
                        .setIncarnation(worker + "-1")
                        .setHost("host")
                        .setAddresses(List.of("tcp://127.0.0.1:7000"))
                        .setSlots(1)
                        .setCores(1)
                        .setMemoryBytes(1)
                        .setLoad(0)
                        .setLocal(false)
                        .setDraining(false)
                        .setLeaving(false)
                        .setPlanning(List.of())
                        .setAttempts(List.of())
                        .build())
                .build();
    }
}
