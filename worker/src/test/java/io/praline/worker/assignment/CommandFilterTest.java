package io.praline.worker.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignSplits;
import io.praline.schema.CacheTargets;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.ConsumerLane;
import io.praline.schema.FactsConfirmed;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.PlanSplits;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.ServeConsumers;
import io.praline.schema.StartAttempt;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerCommand;
import io.praline.worker.assignment.CommandConsumer.CommandFilter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandFilterTest {
    private final List<Object> taken = new ArrayList<>();
    private final CommandFilter filter = new CommandFilter("w1", "i1", new WorkerOrders() {
        @Override
        public void plan(PlanSplits plan) {
            taken.add(plan);
        }

        @Override
        public void start(StartAttempt start) {
            taken.add(start);
        }

        @Override
        public void assign(AssignSplits assign) {
            taken.add(assign);
        }

        @Override
        public void finish(FinishAttempt finish) {
            taken.add(finish);
        }

        @Override
        public void fence(FenceAttempt fence) {
            taken.add(fence);
        }

        @Override
        public void confirm(ConfirmFacts confirm) {
            taken.add(confirm);
        }

        @Override
        public void serve(ServeConsumers serve) {
            taken.add(serve);
        }

        @Override
        public void profile(ProfilePipeline request) {
            taken.add(request);
        }

        @Override
        public void verify(VerifyVariant request) {
            taken.add(request);
        }

        @Override
        public void divide(CacheTargets targets) {
            taken.add(targets);
        }
    });

    @Test
    void takesWhatIsMeantForThisProcess() {
        FenceAttempt fence = new FenceAttempt("j", 0, 0, "", false);
        FinishAttempt finish = new FinishAttempt("j", 0, 0, 1, true, true);
        filter.take(new WorkerCommand("w1", "i1", fence));
        ServeConsumers serve = new ServeConsumers("j", 0, 0, 3, List.of(new ConsumerLane(1, 4, true)));
        filter.take(new WorkerCommand("w1", "i1", finish));
        ConfirmFacts confirm = new ConfirmFacts(List.of(new FactsConfirmed("j", 0, 0, 3)));
        filter.take(new WorkerCommand("w1", "i1", confirm));
        filter.take(new WorkerCommand("w1", "i1", serve));
        ProfilePipeline profile = new ProfilePipeline("j", 1, "d", List.of(), 0L);
        VerifyVariant verify =
                new VerifyVariant("j", 2, "d", List.of(List.of("a", "b")), List.of(), 300L, 1_000_000L, 0L);
        filter.take(new WorkerCommand("w1", "i1", profile));
        filter.take(new WorkerCommand("w1", "i1", verify));
        CacheTargets targets = new CacheTargets("s", List.of());
        filter.take(new WorkerCommand("w1", "i1", targets));
        assertThat(taken).containsExactly(fence, finish, confirm, serve, profile, verify, targets);
    }

    @Test
    void ignoresOtherWorkersAndEarlierProcesses() {
        filter.take(new WorkerCommand("w2", "i1", new FenceAttempt("j", 0, 0, "", false)));
        filter.take(new WorkerCommand("w1", "i0", new FenceAttempt("j", 0, 0, "", false)));
        assertThat(taken).isEmpty();
    }
}
