package io.praline.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaConstructor.CONSTRUCTOR_NAME;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.praline.tests.architecture.NamedPackages.know;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.Shape;
import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.dispatcher.ledger.row.Sums;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.worker.storage.glob.KeyPattern;
import java.util.Set;
import java.util.TreeSet;

/** The arrows inside modules, and what every package owes. */
final class Packages {

    private Packages() {}

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("io.praline.(**)").should().beFreeOfCycles();

    /** In a program the root package wires its children, and the children do not know it. */
    @ArchTest
    static final ArchRule childrenOfTheDispatcherDoNotKnowIt = childrenDoNotKnow("io.praline.dispatcher");

    @ArchTest
    static final ArchRule childrenOfTheWorkerDoNotKnowIt = childrenDoNotKnow("io.praline.worker");

    @ArchTest
    static final ArchRule childrenOfTheClientDoNotKnowIt = childrenDoNotKnow("io.praline.client");

    /** In policies the root is the contract: children import it, never the other way round. */
    @ArchTest
    static final ArchRule theContractOfPoliciesKnowsNoPolicy =
            noClasses().that().resideInAPackage("io.praline.policy").should(know("io.praline.policy.(*).."));

    /** What is sent is built of rows and values in one place. */
    @ArchTest
    static final ArchRule turnsBuildNoRecords = noClasses()
            .that()
            .resideInAPackage("io.praline.dispatcher.turn..")
            .should()
            .accessTargetWhere(DescribedPredicate.describe(
                    "build a record of a schema",
                    access -> access.getTargetOwner().getPackageName().equals("io.praline.schema")
                            && Set.of("newBuilder", CONSTRUCTOR_NAME).contains(access.getName())));

    @ArchTest
    static final ArchRule turnsKnowNothingOfTopicsAndStreams = noClasses()
            .that()
            .resideInAPackage("io.praline.dispatcher.turn..")
            .should(know("io.praline.topics..", "org.apache.kafka.."));

    /** How a row is laid down is nobody else's matter. */
    @ArchTest
    static final ArchRule theBytesOfRowsAreTheLedgersAlone = noClasses()
            .that()
            .resideOutsideOfPackage("io.praline.dispatcher.ledger..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(RowKey.class, RowReader.class, RowWriter.class, Sums.class);

    /** Whoever else meets such a fault reads whose it is. */
    @ArchTest
    static final ArchRule faultsOfJobsAreFoundInTurns = noClasses()
            .that()
            .resideOutsideOfPackage("io.praline.dispatcher.turn..")
            .should()
            .callMethodWhere(DescribedPredicate.describe(
                    "take a step as a job's",
                    call -> call.getName().equals("in") && call.getTargetOwner().isEquivalentTo(JobFault.class)));

    @ArchTest
    static final ArchRule whatConvertsKnowsNothingOfTurns = noClasses()
            .that()
            .resideInAPackage("io.praline.dispatcher.convert..")
            .should(know("io.praline.dispatcher.turn.."));

    @ArchTest
    static final ArchRule theGraphKnowsProtosAndNoEngine = noClasses()
            .that()
            .resideInAPackage("io.praline.worker.graph..")
            .should(know("io.praline.worker.engine..", "org.bytedeco..", "org.tensorflow", "org.tensorflow.op.."));

    @ArchTest
    static final ArchRule deliveryKnowsNothingOfSplitsOrGraphs = noClasses()
            .that()
            .resideInAPackage("io.praline.worker.delivery..")
            .should(know(
                    "io.praline.worker.graph..",
                    "io.praline.worker.engine..",
                    "io.praline.worker.planning..",
                    "io.praline.worker.assignment.."));

    @ArchTest
    static final ArchRule entriesAsAnAttemptMeetsThemAreItsOwn = noClasses()
            .that()
            .resideOutsideOfPackage("io.praline.worker.attempt..")
            .should(know("io.praline.worker.attempt.entry.."));

    @ArchTest
    static final ArchRule patternsOfKeysAreTheStoresOwn = noClasses()
            .that()
            .resideOutsideOfPackage("io.praline.worker.storage..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(KeyPattern.class);

    /** Which jobs run is asked for from outside; who trains, and on what, is not. */
    @ArchTest
    static final ArchRule theTrainersOfChaosAreItsOwn = noClasses()
            .that()
            .resideOutsideOfPackage("io.praline.deploy.chaos..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.praline.deploy.chaos.trainer..")
                    .and(not(belongToAnyOf(JobPlan.class, Shape.class))));

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .that()
            .resideOutsideOfPackage("io.praline.schema..")
            .should()
            .haveNameMatching(".*(Manager|Helper|Util|Utils|Common|Impl|Base)")
            .because("a name says what a class is");

    @ArchTest
    static void everyPackageSaysWhatItIsFor(JavaClasses all) {
        Set<String> silent = new TreeSet<>();
        all.stream()
                .map(type -> type.getPackage())
                .filter(known -> !known.getClasses().isEmpty())
                .filter(known -> !known.getName().equals("io.praline.schema"))
                .forEach(known -> silent.add(known.getName()));
        silent.removeIf(name ->
                Packages.class.getClassLoader().getResource(name.replace('.', '/') + "/package-info.class") != null);
        assertThat(silent).as("packages without a package-info.java").isEmpty();
    }

    private static ArchRule childrenDoNotKnow(String root) {
        return noClasses().that().resideInAPackage(root + ".(*)..").should(know(root));
    }
}
