package io.praline.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaConstructor.CONSTRUCTOR_NAME;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.praline.tests.architecture.NamedPackages.know;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** What decides must not see the clock, the dice or the machine: a recorded log run again must give the same. */
final class Purity {

    private static final Map<String, Set<String>> ASKED = Map.of(
            System.class.getName(), Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty", "exit"),
            Date.class.getName(), Set.of(CONSTRUCTOR_NAME),
            Calendar.class.getName(), Set.of("getInstance"),
            UUID.class.getName(), Set.of("randomUUID"),
            Collections.class.getName(), Set.of("shuffle"),
            Math.class.getName(), Set.of("random"),
            StrictMath.class.getName(), Set.of("random"));

    /** Those of {@code java.time} that know the hour by themselves: dates, times, and clocks that are the system's. */
    private static final Pattern ASKS_THE_HOUR = Pattern.compile("now|system.*|tick.*");

    /** Called, or handed on to be called. */
    private static final DescribedPredicate<JavaAccess<?>> ASKS_THE_WORLD =
            DescribedPredicate.describe("ask for the time, the environment or chance", access -> {
                JavaClass owner = access.getTargetOwner();
                return ASKED.getOrDefault(owner.getName(), Set.of()).contains(access.getName())
                        || (owner.getPackageName().startsWith("java.time")
                                && ASKS_THE_HOUR.matcher(access.getName()).matches());
            });

    /** What only whoever touches files has. */
    private static final String[] FILES = {"java.nio.file..", "java.nio.channels..", "java.net.."};

    private static final String[] LOGGERS = {"org.slf4j..", "java.util.logging..", "org.apache.logging.."};

    private Purity() {}

    @ArchTest
    static final ArchRule policiesNeverReadAClock =
            noClasses().that().resideInAPackage("io.praline.policy..").should().accessTargetWhere(ASKS_THE_WORLD);

    /** A made-up world draws, by the seed that it is given. */
    @ArchTest
    static final ArchRule policiesHaveNoDice = noClasses()
            .that()
            .resideInAPackage("io.praline.policy..")
            .and()
            .doNotHaveFullyQualifiedName("io.praline.policy.simulation.Draw")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(RandomGenerator.class);

    @ArchTest
    static final ArchRule whatIsRememberedAndWrittenSeesNoClockNoDiceAndNoFile = noClasses()
            .that()
            .resideInAnyPackage("io.praline.dispatcher.ledger..", "io.praline.dispatcher.convert..")
            .should()
            .accessTargetWhere(ASKS_THE_WORLD)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(RandomGenerator.class)
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(File.class, FileInputStream.class, FileOutputStream.class, RandomAccessFile.class)
            .orShould(know(FILES));

    @ArchTest
    static final ArchRule whatIsRememberedAndWrittenHasNoLogger = noClasses()
            .that()
            .resideInAnyPackage("io.praline.dispatcher.ledger..", "io.praline.dispatcher.convert..")
            .should(know(LOGGERS));

    @ArchTest
    static final ArchRule turnsSeeNoClockNoDiceAndNoFile = noClasses()
            .that()
            .resideInAPackage("io.praline.dispatcher.turn..")
            .should()
            .accessTargetWhere(ASKS_THE_WORLD)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(RandomGenerator.class)
            .orShould(know("java.io..", "java.nio..", "java.net..", "java.util.concurrent.."));

    @ArchTest
    static final ArchRule turnsHaveNoLogger =
            noClasses().that().resideInAPackage("io.praline.dispatcher.turn..").should(know(LOGGERS));

    @ArchTest
    static final ArchRule policiesHaveNoLogger =
            noClasses().that().resideInAPackage("io.praline.policy..").should(know(LOGGERS));

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
