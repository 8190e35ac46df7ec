package io.praline.deploy.feed;

/** What Python hears, by its number on the pipe. */
enum Event {
    OPENED(1),
    COMPONENTS(2),
    OFFERED(3),
    END(4),
    STATUS(5),
    RESULT(6),
    ERROR(7),
    CLOSED(8),
    EXPLAINED(9),
    SEGMENT(10),
    WAITS(11),
    LEASE(12);

    private final int number;

    Event(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
