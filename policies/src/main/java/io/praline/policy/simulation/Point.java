package io.praline.policy.simulation;

import io.praline.policy.Target;
import java.util.OptionalDouble;

/**
 * A moment of a run, to draw it.
 *
 * @param seconds since the beginning
 * @param wanted workers
 * @param serving workers
 * @param batchMillis as measured by the window that closed then; empty where none did, or its time was refused
 * @param spent money until then
 */
public record Point(double seconds, Target wanted, Target serving, OptionalDouble batchMillis, double spent) {}
