/** How many workers a job should have. Knows neither which workers there are nor what other jobs want. */
package io.praline.policy.scaling;
