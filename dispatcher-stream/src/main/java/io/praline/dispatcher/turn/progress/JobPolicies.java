package io.praline.dispatcher.turn.progress;

import java.util.Optional;

/**
 * Who decides how many workers a job has.
 *
 * @param leading what it decides is done
 * @param shadow sees the same, and what it decides is only written down
 */
public record JobPolicies(JobPolicy leading, Optional<JobPolicy> shadow) {}
