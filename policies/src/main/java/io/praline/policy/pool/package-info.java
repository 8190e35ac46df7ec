/**
 * How large a pool should be, and which job gets which of its workers. Knows neither commands nor how they travel, nor why a
 * job wishes for as many workers as it does.
 */
package io.praline.policy.pool;
