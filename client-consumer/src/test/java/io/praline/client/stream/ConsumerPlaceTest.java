package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.StatusOf;
import io.praline.client.stream.ConsumerPlace.News;
import io.praline.schema.ConsumerState;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ConsumerPlaceTest {
    private final ConsumerPlace place = new ConsumerPlace(0, StatusOf.CLIENT);

    @Test
    void isTheConsumersNumberForADispatcherThatTellsOfNoPlaces() {
        ConsumerPlace third = new ConsumerPlace(2, StatusOf.CLIENT);

        assertThat(third.follow(StatusOf.running().build())).isEqualTo(News.ENTERED);
        assertThat(third.follow(StatusOf.running().build())).isEqualTo(News.NOTHING);
        assertThat(third.generation()).hasValue(2);
        assertThat(third.isHeld()).isTrue();
        assertThat(third.echo()).isEmpty();
    }

    @Test
    void isHeldFromTheFirstStatusThatHasThisProcessThere() {
        assertThat(follow(StatusOf.running().slot(0, 0, ConsumerState.EXPECTED, "", 0)))
                .isEqualTo(News.NOTHING);
        assertThat(follow(StatusOf.running().slot(1, 1, ConsumerState.HERE, "another", 7)))
                .isEqualTo(News.NOTHING);
        assertThat(place.isHeld()).isFalse();
        assertThat(place.generation()).isEqualTo(OptionalInt.empty());

        assertThat(follow(StatusOf.running().here(0, 3))).isEqualTo(News.ENTERED);
        assertThat(place.isHeld()).isTrue();
        assertThat(place.generation()).hasValue(0);
        assertThat(place.echo()).hasValue(3L);
    }

    // who comes to replace another sees that one first
    @Test
    void isNotTakenByAProcessThatHadItBeforeThisOneCame() {
        assertThat(follow(StatusOf.running().taken(4))).isEqualTo(News.NOTHING);
        assertThat(follow(StatusOf.running().here(5, 0))).isEqualTo(News.ENTERED);
        assertThat(follow(StatusOf.running().taken(6))).isEqualTo(News.TAKEN);
        assertThat(place.isHeld()).isFalse();
        assertThat(place.slot())
                .hasValueSatisfying(slot -> assertThat(slot.getHost()).isEqualTo("host-another"));
    }

    @Test
    void isTakenWhereAnotherFollowedBeforeThisProcessSawItselfThere() {
        assertThat(follow(StatusOf.running().taken(4))).isEqualTo(News.NOTHING);
        assertThat(follow(StatusOf.running().succeeded(6))).isEqualTo(News.TAKEN);
        assertThat(place.generation()).isEqualTo(OptionalInt.empty());
    }

    @Test
    void isEnteredAgainInAHigherGenerationAfterADoubtWhichHoldsNothing() {
        follow(StatusOf.running().here(0, 3));
        assertThat(follow(StatusOf.running().slot(0, 0, ConsumerState.IN_DOUBT, StatusOf.CLIENT, 3)))
                .isEqualTo(News.NOTHING);
        assertThat(place.isHeld()).isFalse();
        assertThat(place.echo()).isEmpty();

        assertThat(follow(StatusOf.running().here(2, 4))).isEqualTo(News.ENTERED);
        assertThat(place.generation()).hasValue(2);
        assertThat(follow(StatusOf.running().here(0, 9))).isEqualTo(News.NOTHING);
        assertThat(place.echo()).isEmpty();
    }

    @Test
    void isGivenUpWhereItsProcessIsSaidToHaveLeft() {
        follow(StatusOf.running().here(0, 3));

        assertThat(follow(StatusOf.running().slot(0, 0, ConsumerState.LEFT, StatusOf.CLIENT, 3)))
                .isEqualTo(News.GIVEN_UP);
    }

    private News follow(StatusOf status) {
        return place.follow(status.build());
    }
}
