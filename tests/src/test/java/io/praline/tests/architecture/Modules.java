package io.praline.tests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.praline.tests.architecture.NamedPackages.know;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;

/** The arrows between modules. */
final class Modules {

    private static final String DISPATCHER = "io.praline.dispatcher..";
    private static final String WORKER = "io.praline.worker..";
    private static final String CLIENT = "io.praline.client..";
    private static final String DEPLOY = "io.praline.deploy..";
    private static final String POLICY = "io.praline.policy..";
    private static final String TOPICS = "io.praline.topics..";
    private static final String TESTS = "io.praline.tests..";

    private Modules() {}

    @ArchTest
    static final ArchRule policiesKnowOnlyTheJdkAndThemselves = classes()
            .that()
            .resideInAPackage(POLICY)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", POLICY);

    @ArchTest
    static final ArchRule schemasKnowNoProgramAndNoTopic = noClasses()
            .that()
            .resideInAnyPackage("io.praline.schema..", "io.praline.wire..")
            .should(know(TOPICS, POLICY, DISPATCHER, WORKER, CLIENT, DEPLOY, TESTS));

    @ArchTest
    static final ArchRule topicsKnowNoProgram =
            noClasses().that().resideInAPackage(TOPICS).should(know(POLICY, DISPATCHER, WORKER, CLIENT, DEPLOY, TESTS));

    @ArchTest
    static final ArchRule theDispatcherKnowsNoOtherProgram =
            noClasses().that().resideInAPackage(DISPATCHER).should(know(WORKER, CLIENT, DEPLOY, TESTS));

    @ArchTest
    static final ArchRule theDispatcherKnowsNothingOfTheBatchChannel =
            noClasses().that().resideInAPackage(DISPATCHER).should(know("io.praline.wire..", "io.netty.."));

    @ArchTest
    static final ArchRule workersKnowNoOtherProgramAndNoPolicy =
            noClasses().that().resideInAPackage(WORKER).should(know(DISPATCHER, CLIENT, DEPLOY, POLICY, TESTS));

    @ArchTest
    static final ArchRule clientsKnowNoOtherProgramAndNoPolicy =
            noClasses().that().resideInAPackage(CLIENT).should(know(DISPATCHER, WORKER, DEPLOY, POLICY, TESTS));

    @ArchTest
    static final ArchRule onlyTheDispatcherKnowsPolicies = noClasses()
            .that()
            .resideOutsideOfPackages(POLICY, DISPATCHER, DEPLOY, TESTS)
            .should(know(POLICY));

    @ArchTest
    static final ArchRule nobodyKnowsTheTests =
            noClasses().that().resideOutsideOfPackage(TESTS).should(know(TESTS));

    @ArchTest
    static final ArchRule tensorFlowIsTouchedByTheWorkerAlone = noClasses()
            .that()
            .resideOutsideOfPackages(WORKER, "io.praline.client.pipeline..", DEPLOY)
            .should(know("org.tensorflow..", "org.bytedeco.."));

    @ArchTest
    static final ArchRule nettyIsTheChannelsAlone = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.praline.wire..",
                    "io.praline.worker.delivery..",
                    "io.praline.worker.engine..",
                    "io.praline.worker",
                    "io.praline.worker.assignment..",
                    "io.praline.client.channel..",
                    DEPLOY)
            .should(know("io.netty.."));

    /** The registry of {@code praline up} keeps bytes of its own, and a benchmark sends what it has encoded before. */
    @ArchTest
    static final ArchRule theLogIsReadAndWrittenInOnePlace = noClasses()
            .that()
            .resideOutsideOfPackages("io.praline.topics.log..", TESTS)
            .and()
            .haveNameNotMatching("io\\.praline\\.deploy\\.(embedded\\.SchemaLog|bench\\.PretendTraffic)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(KafkaConsumer.class, KafkaProducer.class);
}
