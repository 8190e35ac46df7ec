package io.praline.deploy.chaos.trainer;

import io.praline.client.CacheMode;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a trainer is told.
 *
 * @param bootstrap Kafka
 * @param registry the registry's URL
 * @param job the job's id
 * @param consumer which of the job's consumers it is
 * @param life which of that consumer's lives, counted from 0
 * @param replacesDead whether the life before is known to be dead, so that nothing waits for it
 * @param graph the file with the job's graph
 * @param glob of the files to read; empty where it reads none
 * @param shape of the job's elements
 * @param cache what of the job is kept; empty: what is usual
 * @param diary where it writes down what it trained on
 */
public record TrainerOrder(
        String bootstrap,
        String registry,
        Path secret,
        String job,
        int consumer,
        int life,
        boolean replacesDead,
        int consumers,
        int epochs,
        long seed,
        long stepMillis,
        Path graph,
        String glob,
        Shape shape,
        Optional<CacheMode> cache,
        Path diary) {

    private static final int WORDS = 16;

    /** As arguments of its process. */
    public List<String> words() {
        return List.of(
                bootstrap,
                registry,
                secret.toString(),
                job,
                Integer.toString(consumer),
                Integer.toString(life),
                Boolean.toString(replacesDead),
                Integer.toString(consumers),
                Integer.toString(epochs),
                Long.toString(seed),
                Long.toString(stepMillis),
                graph.toString(),
                glob,
                shape.name(),
                cache.map(CacheMode::name).orElse(""),
                diary.toString());
    }

    static TrainerOrder of(String[] words) {
        if (words.length != WORDS) {
            throw new IllegalArgumentException("a trainer is told " + WORDS + " words, not " + words.length);
        }
        return new TrainerOrder(
                words[0],
                words[1],
                Path.of(words[2]),
                words[3],
                Integer.parseInt(words[4]),
                Integer.parseInt(words[5]),
                Boolean.parseBoolean(words[6]),
                Integer.parseInt(words[7]),
                Integer.parseInt(words[8]),
                Long.parseLong(words[9]),
                Long.parseLong(words[10]),
                Path.of(words[11]),
                words[12],
                Shape.valueOf(words[13]),
                Optional.of(words[14]).filter(word -> !word.isEmpty()).map(CacheMode::valueOf),
                Path.of(words[15]));
    }

    /** The file that asks it to leave its job as soon as it is there. */
    public Path askedToLeave() {
        return askedToLeave(diary);
    }

    public static Path askedToLeave(Path diary) {
        return diary.resolveSibling(diary.getFileName() + ".leave");
    }

    KafkaSettings kafka() {
        return KafkaSettings.of(bootstrap, registry);
    }
}
