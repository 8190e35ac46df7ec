/** Which worker reads which split; which job gets which worker. Knows neither commands nor how they travel. */
package io.praline.policy.placement;
