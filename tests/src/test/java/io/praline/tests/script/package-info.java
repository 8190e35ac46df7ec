/** The {@code praline} script as a checkout has it, where Maven has packed what it runs. */
package io.praline.tests.script;
