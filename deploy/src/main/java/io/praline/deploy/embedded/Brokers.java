package io.praline.deploy.embedded;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** The brokers of one cluster: one in this process, or several in processes of their own. */
interface Brokers extends AutoCloseable {
    /** Where clients find them. */
    String bootstrap();

    /** Completes, with the reason in a line, when they can no longer work; never by {@link #close()}. */
    CompletionStage<String> failure();

    /** As {@link #failure}, while nobody calls {@link #replaceDead}: completes when the first of them has ended. */
    CompletionStage<String> firstEnd();

    /** Those that have processes of their own, by node; none where it is this one. */
    List<ServerProcess> processes();

    /** Starts those again that have ended; gives a line for each. */
    List<String> replaceDead();

    /** Ends them in order; what was acknowledged is kept. */
    @Override
    void close();
}
