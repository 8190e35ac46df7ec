/**
 * Whether a job computes its elements anew in every epoch or keeps them behind one of its pipeline's cache points, and how many
 * bytes of a store each group of entries may have. Knows measures, prices and what is to come; not how entries are made, nor
 * where they lie.
 */
package io.praline.policy.caching;
