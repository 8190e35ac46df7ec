package io.praline.dispatcher.turn.progress.course;

import io.praline.dispatcher.ledger.OrderRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.Variant;
import java.util.ArrayList;
import java.util.List;
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
        set(new OrderRow(state, asked, graphs()));
        state.variant().map(Variant::digest).ifPresent(this::wrote);
    }

    /** A worker wrote this other order down. */
    public void wrote(String digest) {
        if (!digest.isEmpty() && row.isPresent() && !graphs().contains(digest)) {
            List<String> all = new ArrayList<>(graphs());
            all.add(digest);
            set(new OrderRow(row.get().state(), row.get().asked(), all));
        }
    }

    private void set(OrderRow next) {
        changed |= !row.equals(Optional.of(next));
        row = Optional.of(next);
    }

    /** Digests of the other orders that workers wrote down for it, used or not. */
    public List<String> graphs() {
        return row.map(OrderRow::graphs).orElse(List.of());
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
