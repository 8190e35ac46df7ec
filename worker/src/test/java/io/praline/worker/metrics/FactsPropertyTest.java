package io.praline.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AttemptEnd;
import io.praline.schema.ClosedLane;
import io.praline.schema.Exclusion;
import io.praline.schema.OpenedSplit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever is lost of beats and confirmations, the accounts learn each fact once, in the order in which it happened. */
class FactsPropertyTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int LANES = 10;

    private final Facts facts = new Facts();
    private final List<Long> learned = new ArrayList<>();
    private int applied;
    private final List<Integer> lanesLearned = new ArrayList<>();
    private boolean endLearned;

    /** As the dispatcher takes it: the next number and no other. */
    private void learn(Facts.Fact fact) {
        if (fact.number() != applied + 1) {
            return;
        }
        applied++;
        if (endLearned) {
            assertThat(fact.opened()).as("only lanes close behind the end").isEmpty();
            assertThat(fact.excluded()).as("only lanes close behind the end").isEmpty();
        }
        fact.opened().forEach(split -> learned.add(split.getOrdinal()));
        fact.excluded().forEach(exclusion -> learned.add(exclusion.getElements()));
        fact.closed().forEach(lane -> lanesLearned.add(lane.getConsumer()));
        endLearned |= fact.end().isPresent();
    }

    @Property(tries = 300)
    void eachFactIsLearnedOnceAndInOrder(@ForAll long seed) {
        Random random = new Random(seed);
        int losses = random.nextInt(12);
        long happened = 0;
        int closed = 0;
        for (long second = 0; second < 2_000 && !(endLearned && lanesLearned.size() == LANES); second++) {
            if (closed < LANES && random.nextInt(9) == 0) {
                facts.closed(
                        List.of(new ClosedLane(closed++, 7, ByteBuffer.allocate(60), ByteBuffer.allocate(0), true)));
            }
            for (int i = random.nextInt(3); i > 0 && happened < 60; i--) {
                facts.opened(new OpenedSplit(happened++, 1L));
            }
            if (happened == 60) {
                facts.excluded(List.of(new Exclusion("filter", happened++, ByteBuffer.allocate(100), List.of())));
                facts.ended(new AttemptEnd(List.of(), ByteBuffer.allocate(0)));
            }
            do {
                Optional<Facts.Fact> told = facts.next(random.nextInt(100), second * SECOND);
                int fate = random.nextInt(20);
                if (told.isPresent() && fate == 0) {
                    facts.putBack(told.get().number());
                } else if (fate >= losses) {
                    told.ifPresent(this::learn);
                }
            } while (facts.more());
            if (random.nextInt(20) >= losses) {
                facts.confirmed(applied, second * SECOND);
            }
        }
        assertThat(endLearned).isTrue();
        assertThat(learned).isEqualTo(LongStream.rangeClosed(0, 60).boxed().toList());
        assertThat(lanesLearned).isEqualTo(IntStream.range(0, LANES).boxed().toList());
    }
}
