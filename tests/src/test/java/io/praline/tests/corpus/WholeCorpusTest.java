package io.praline.tests.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All programs, or those of {@code -Dcorpus.only=a,b}, or every n-th of {@code -Dcorpus.shard=k/n}, k from 1: twice with
 * different seeds, twice with all kept that can be, and once with a death. {@code -Dcorpus.runs=seeds,entries,deaths} leaves out what
 * is not listed. What is in {@code target/corpus-results.tsv} is not run again.
 */
@Tag("corpus")
class WholeCorpusTest {
    private static final int AT_A_TIME = 4;
    private static final int DYING_AT_A_TIME = 16;

    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void everyProgramYieldsWhatPythonRecorded() throws InterruptedException {
        List<Program> programs = selected();
        List<String> runs = List.of(
                System.getProperty("corpus.runs", "seeds,entries,deaths").split(",", -1));
        Results results = new Results(Path.of("target", "corpus-results.tsv"));
        try (CorpusRun run = new CorpusRun(results, AT_A_TIME)) {
            if (runs.contains("seeds")) {
                run.withTwoSeeds(programs);
            }
            if (runs.contains("entries")) {
                run.withEntries(programs);
            }
        }
        try (CorpusRun run = new CorpusRun(results, DYING_AT_A_TIME)) {
            if (runs.contains("deaths")) {
                run.withDeaths(programs);
            }
        }
        assertThat(results.wrong()).as(results.table()).isEmpty();
    }

    private static List<Program> selected() {
        List<String> only = List.of(System.getProperty("corpus.only", "").split(",", -1));
        String[] shard = System.getProperty("corpus.shard", "1/1").split("/", -1);
        int number = Integer.parseInt(shard[0]);
        int shards = Integer.parseInt(shard[1]);
        List<Program> all = Program.all();
        return IntStream.range(0, all.size())
                .filter(i -> i % shards == number - 1)
                .mapToObj(all::get)
                .filter(program -> only.equals(List.of("")) || only.contains(program.name()))
                .toList();
    }
}
