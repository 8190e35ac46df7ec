package io.praline.tests.architecture;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.praline.tests.architecture.NamedPackages.know;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Random;
import java.util.Set;

/** What decides must not see the clock, the dice or the machine: a recorded log run again must give the same. */
final class Purity {

    private static final Set<String> IMPURE_SYSTEM_CALLS =
            Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty", "exit");

    private static final DescribedPredicate<JavaMethodCall> ASKS_THE_WORLD =
            DescribedPredicate.describe("ask for the time, the environment or chance", call -> {
                String owner = call.getTargetOwner().getName();
                String name = call.getName();
                return (owner.equals(System.class.getName()) && IMPURE_SYSTEM_CALLS.contains(name))
                        || (Set.of(
                                                Instant.class.getName(),
                                                LocalDateTime.class.getName(),
                                                ZonedDateTime.class.getName())
                                        .contains(owner)
                                && name.equals("now"))
                        || (owner.equals(Clock.class.getName()) && name.startsWith("system"))
                        || (owner.equals(Math.class.getName()) && name.equals("random"));
            });

    private Purity() {}

    @ArchTest
    static final ArchRule policiesNeverReadAClock = noClasses()
            .that()
            .resideInAPackage("io.praline.policy..")
            .should()
            .callMethodWhere(ASKS_THE_WORLD)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Random.class);

    @ArchTest
    static final ArchRule theLedgerNeverReadsAClock = noClasses()
            .that()
            .resideInAnyPackage("io.praline.dispatcher.ledger..", "io.praline.dispatcher.convert..")
            .should()
            .callMethodWhere(ASKS_THE_WORLD);

    @ArchTest
    static final ArchRule turnsSeeNoClockNoDiceAndNoFile = noClasses()
            .that()
            .resideInAPackage("io.praline.dispatcher.turn..")
            .should()
            .callMethodWhere(ASKS_THE_WORLD)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Random.class)
            .orShould(know("java.io..", "java.nio..", "java.net..", "java.util.concurrent.."));

    @ArchTest
    static final ArchRule turnsHaveNoLogger = noClasses()
            .that()
            .resideInAPackage("io.praline.dispatcher.turn..")
            .should(know("org.slf4j..", "java.util.logging..", "org.apache.logging.."));

    @ArchTest
    static final ArchRule policiesHaveNoLogger = noClasses()
            .that()
            .resideInAPackage("io.praline.policy..")
            .should(know("org.slf4j..", "java.util.logging..", "org.apache.logging.."));

    @ArchTest
    static final ArchRule nothingThatChangesIsGlobal = fields().that()
            .areDeclaredInClassesThat(are(DescribedPredicate.describe(
                    "outside schemas", type -> !type.getPackageName().startsWith("io.praline.schema"))))
            .and()
            .areStatic()
            .and()
            .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC)
            .should()
            .beFinal();
}
