package io.praline.deploy.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import io.praline.policy.simulation.Change;
import io.praline.policy.simulation.Delays;
import io.praline.policy.simulation.Entry;
import io.praline.policy.simulation.Noise;
import io.praline.policy.simulation.Rates;
import io.praline.policy.simulation.Scenario;
import io.praline.policy.simulation.Training;
import io.praline.policy.simulation.World;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioFileTest {
    private static final String LEAST = """
            clientPricePerHour: 5
            remotePricePerHour: 0.5
            elementsPerEpoch: 1000
            trainerElementsPerSecond: 100
            remoteElementsPerSecond: 10
            maxRemote: 8
            """;

    private static World least(Terms terms, Rates rates) {
        return new World(
                terms,
                rates,
                new Delays(0, 0, 0),
                Noise.NONE,
                new Training(1000, 128, 20, 500, 0),
                Double.POSITIVE_INFINITY);
    }

    private static Terms terms(int maxRemote, int maxLocal) {
        return new Terms(Goal.COST, new Prices(5, 0.5, 0), new Limits(maxRemote, maxLocal), Double.POSITIVE_INFINITY);
    }

    @Test
    void whatIsNotSaidIsUsual() {
        assertThat(ScenarioFile.parse("dir/mine.yaml", LEAST))
                .isEqualTo(new Scenario(
                        "mine",
                        least(terms(8, 0), new Rates(100, 10, List.of(), 0)),
                        List.of(),
                        List.of(),
                        Double.POSITIVE_INFINITY));
    }

    @Test
    void everyFieldIsTaken() {
        String all = """
                {"name": "all", "target": "balanced", "clientPricePerHour": 5, "remotePricePerHour": 0.5,
                 "egressPricePerGb": 0.09, "bytesPerElement": 150528,
                 "elementsPerEpoch": 1000, "batch": 2, "epochs": 3, "trainerElementsPerSecond": 100,
                 "remoteElementsPerSecond": 10, "localElementsPerSecond": [7, 12.5], "trainerSlowdownPerLocal": 0.1,
                 "windowBatches": 4, "noise": {"relative": 0.05, "heavyTailShare": 0.02, "garbageShare": 0.01},
                 "remoteStartSeconds": 20, "remoteDrainSeconds": 30, "localStartSeconds": 2,
                 "remoteMeanLifetimeSeconds": 600, "maxRemote": 8, "maxLocal": 1, "untilSeconds": 50}
                """;
        World world = new World(
                new Terms(Goal.BALANCED, new Prices(5, 0.5, 0.09), new Limits(8, 1), Double.POSITIVE_INFINITY),
                new Rates(100, 10, List.of(7.0, 12.5), 0.1),
                new Delays(20, 30, 2),
                new Noise(0.05, 0.02, 0.01),
                new Training(1000, 2, 3, 4, 150_528),
                600);
        assertThat(ScenarioFile.parse("all.json", all)).isEqualTo(new Scenario("all", world, List.of(), List.of(), 50));
    }

    @Test
    void aChangeKeepsWhatItDoesNotName() {
        String changes = LEAST + """
                changes:
                  - {atSeconds: 10, trainerElementsPerSecond: 200}
                  - {atSeconds: 20, maxRemote: 4}
                """;
        assertThat(ScenarioFile.parse("drift.yaml", changes).changes())
                .containsExactly(
                        new Change(10, least(terms(8, 0), new Rates(200, 10, List.of(), 0))),
                        new Change(20, least(terms(4, 0), new Rates(200, 10, List.of(), 0))));
    }

    @Test
    void jobsKeepWhatTheyDoNotName() {
        String jobs = LEAST + """
                jobs:
                  - {name: big, count: 3, atSeconds: 1, everySeconds: 2, weight: 4, maxRemote: 5}
                  - {remoteElementsPerSecond: 11}
                """;
        assertThat(ScenarioFile.parse("crowd.yaml", jobs).jobs())
                .containsExactly(
                        new Entry("big", 3, 1, 2, 4, least(terms(5, 0), new Rates(100, 10, List.of(), 0))),
                        new Entry("job1", 1, 0, 0, 1, least(terms(8, 0), new Rates(100, 11, List.of(), 0))));
    }

    static List<String> shipped() {
        return ScenarioFile.shipped();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void whatIsShippedCanBeReadByItsName(String name) {
        assertThat(ScenarioFile.read(name).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "maxRemotes: 3                     | unknown field 'maxRemotes'; allowed: name, changes, jobs, untilSeconds, target",
                "noise: {relatve: 1}               | unknown field 'noise.relatve'; allowed: relative, heavyTailShare, garbageShare",
                "noise: {garbageShare: 2}          | noise.garbageShare must be a number from 0 to 1, is 2",
                "batch: 0                          | batch must be a whole number of at least 1, is 0",
                "batch: 1.5                        | batch must be a whole number of at least 1, is 1.5",
                "bytesPerElement: -1               | bytesPerElement must be a number of at least 0, is -1",
                "egressPricePerGb: -0.1            | egressPricePerGb must be a number of at least 0, is -0.1",
                "epochs: many                      | epochs must be a whole number of at least 1, is \"many\"",
                "localElementsPerSecond: [1, -2]   | localElementsPerSecond[1] must be a number above 0, is -2",
                "localElementsPerSecond: 3         | localElementsPerSecond must be a list of numbers above 0",
                "maxLocal: 3                       | maxLocal is 3, but localElementsPerSecond tells the rate of at most 0",
                "target: money                     | target must be one of cost, time, balanced, is \"money\"",
                "jobs: 4                           | jobs must be a list",
                "changes: [{atSecond: 4}]          | unknown field 'changes[0].atSecond'; allowed: atSeconds, target",
                "changes: [{maxRemote: 4}]         | changes[0].atSeconds is missing",
                "changes: [{atSeconds: 4, maxRemote: -1}] | changes[0].maxRemote must be a whole number of at least 0, is -1",
                "changes: [{atSeconds: 4, maxRemote: 0}]  | changes[0]: maxRemote and maxLocal are both 0",
                "changes: [{atSeconds: 4}, {atSeconds: 3}] | changes must be in order of atSeconds",
                "jobs: [{count: 0}]                | jobs[0].count must be a whole number of at least 1, is 0",
            })
    void whatIsWrongIsNamedWithWhatIsAllowed(String line, String complaint) {
        assertThatThrownBy(() -> ScenarioFile.parse("mine.yaml", LEAST + line.strip()))
                .isInstanceOf(RefusedScenario.class)
                .hasMessageStartingWith("mine.yaml: " + complaint.strip())
                .hasMessageNotContaining("\n");
    }

    @Test
    void aNegativePriceIsRefused() {
        assertThatThrownBy(() -> ScenarioFile.parse("mine.yaml", LEAST.replace("0.5", "-0.5")))
                .hasMessage("mine.yaml: remotePricePerHour must be a number of at least 0, is -0.5");
    }

    @Test
    void aFieldThatIsMissingIsNamed() {
        assertThatThrownBy(() -> ScenarioFile.parse("mine.yaml", "maxRemote: 3"))
                .hasMessage("mine.yaml: clientPricePerHour is missing");
    }

    @Test
    void whatIsNoYamlIsRefusedWithItsLine() {
        assertThatThrownBy(() -> ScenarioFile.parse("mine.yaml", LEAST + "batch: [1"))
                .hasMessageStartingWith("mine.yaml: line ")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> ScenarioFile.parse("mine.yaml", LEAST + "maxRemote: 8"))
                .hasMessageContaining("maxRemote");
        assertThatThrownBy(() -> ScenarioFile.parse("mine.yaml", ""))
                .hasMessage("mine.yaml: it must be fields with values");
    }

    @Test
    void aScenarioThatThereIsNotIsTold() {
        assertThatThrownBy(() -> ScenarioFile.read("resnet"))
                .hasMessageStartingWith("resnet: no such scenario: give a file, or one of resnet50-v2-8, ");
    }
}
