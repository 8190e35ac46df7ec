/** Orders that policies find for pipelines, carried out by the worker's passes and held against the user's own. */
package io.praline.tests.equivalence;
