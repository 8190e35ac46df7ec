package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.ledger.OrderRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.Variant;
import java.util.Optional;

/** In which order a job's steps run. Owned by the stream thread. */
public final class JobOrder {
    private Optional<OrderRow> row;
    private boolean changed;
    private boolean mixed = true;

    /** @param row as it was left; empty before its plan, and for jobs of before there were orders */
    public JobOrder(Optional<OrderRow> row) {
        this.row = row;
    }

    /** What its course knows; empty where it has none: the user's order runs. */
    public Optional<OrderState> state() {
        return row.map(OrderRow::state);
    }

    /** Who was asked to measure and has not answered. */
    public Optional<Place> asked() {
        return row.flatMap(OrderRow::asked);
    }

    /** It is known so from now on, and this worker is asked. */
    public void keep(OrderState state, Optional<Place> asked) {
        mixed |= !state.variant().equals(state().flatMap(OrderState::variant));
        OrderRow next = new OrderRow(state, asked);
        changed |= !row.equals(Optional.of(next));
        row = Optional.of(next);
    }

    /** The digest of the graph that attempts of this epoch run; empty: the user's own. */
    public String variant(int epoch) {
        return state().flatMap(state -> state.used(epoch)).map(Variant::digest).orElse("");
    }

    /** Whether attempts may be there that run another order than they should. */
    boolean mixed() {
        return mixed && row.isPresent();
    }

    /** Each attempt was looked at, and runs what it should. */
    void settled() {
        mixed = false;
    }

    /** What is to be written, if something changed since this was last asked. */
    public Optional<OrderRow> unsaved() {
        Optional<OrderRow> unsaved = changed ? row : Optional.empty();
        changed = false;
        return unsaved;
    }
}
