package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.JobState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Any single record that is lost, on any topic, costs a job ten seconds at most: whoever sent it says it again, or does not
 * need to. Requests are left out: who asks waits for the answer.
 */
class LostRecordTest {
    private static final int FILES = 8;
    private static final int HEALS_WITHIN = 10;

    /** How a job of two epochs, with two workers and two consumers, went. */
    private record Life(Optional<String> lost, int seconds, List<String> wrong) {}

    private static Life life(int lost) {
        try (Rig rig = new Rig()) {
            rig.lose(lost);
            Map<String, PretendWorker> workers = new LinkedHashMap<>();
            for (String id : List.of("w1", "w2")) {
                workers.put(id, new PretendWorker(rig, id, 1, FILES));
            }
            workers.values().forEach(PretendWorker::beat);
            rig.submit("job", Rig.submit().setEpochs(2).setConsumers(2).build());
            List<PretendClient> clients =
                    List.of(new PretendClient(rig, "job", 0, workers), new PretendClient(rig, "job", 1, workers));
            int seconds = 0;
            while (seconds < 120 && !atRest(rig, workers)) {
                rig.seconds(1, workers.values(), clients.toArray(new PretendClient[0]));
                seconds++;
            }
            return new Life(rig.lost(), seconds, wrong(rig, workers, clients));
        }
    }

    /** Its status says that it is complete, and its workers have nothing of it any more. */
    private static boolean atRest(Rig rig, Map<String, PretendWorker> workers) {
        return rig.status("job") != null
                && rig.status("job").getState() == JobState.COMPLETED
                && workers.values().stream().allMatch(worker -> worker.listed() == 0);
    }

    private static List<String> wrong(Rig rig, Map<String, PretendWorker> workers, List<PretendClient> clients) {
        List<String> wrong = new ArrayList<>();
        if (!atRest(rig, workers)) {
            wrong.add("not at rest: " + rig.status("job"));
        }
        for (int epoch = 0; epoch < 2; epoch++) {
            Map<Long, Integer> given = new HashMap<>();
            for (PretendClient client : clients) {
                client.given(epoch).forEach((ticket, times) -> given.merge(ticket, times, Integer::sum));
            }
            long twice = given.values().stream().filter(times -> times != 1).count();
            if (given.size() != PretendWorker.recordsOf(FILES) || twice > 0) {
                wrong.add("epoch " + epoch + ": " + given.size() + " elements, " + twice + " of them not once");
            }
        }
        return wrong;
    }

    @Test
    void whicheverRecordIsLostEveryElementComesOnceAndTenSecondsLaterAtTheLatest() {
        Life without = life(0);
        assertThat(without.wrong()).isEmpty();
        List<String> failures = new ArrayList<>();
        int number = 1;
        for (Life life = life(number); life.lost().isPresent(); life = life(++number)) {
            if (!life.wrong().isEmpty() || life.seconds() > without.seconds() + HEALS_WITHIN) {
                failures.add(number + ", " + life.lost().get() + ": " + life.wrong() + " after " + life.seconds()
                        + " s in place of " + without.seconds());
            }
        }
        assertThat(failures).isEmpty();
        assertThat(number).isGreaterThan(100);
    }
}
