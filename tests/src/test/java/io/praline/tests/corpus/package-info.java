/** The corpus of Python's programs, run through a whole cluster and compared with what Python recorded of each. */
package io.praline.tests.corpus;
