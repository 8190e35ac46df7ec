package io.praline.topics.health;

/**
 * Whose health is looked at.
 *
 * @param group the dispatchers' consumer group
 * @param changelog the topic that their state is restored from
 */
public record Installation(String group, String changelog) {}
