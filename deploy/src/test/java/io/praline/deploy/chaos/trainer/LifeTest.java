package io.praline.deploy.chaos.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.chaos.trainer.JobPlan.Element;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LifeTest {
    @TempDir
    private Path folder;

    @Test
    void aBatchCountsWhenItIsWhole() {
        Life life = new Life(folder.resolve("none"), 0);
        life.take("begin 5\nelement 0 7 70 1 2\nelement 0 8 80 1 2\ntrai");
        assertThat(life.begun()).isTrue();
        assertThat(life.trained()).isEmpty();
        life.take("ned 9\nelement 1 7 70 1 2\nwrong 1 7 70\n");
        assertThat(life.trained())
                .containsExactly(
                        new Life.Trained(new Element(0, 7), 70, 1, 2, 9),
                        new Life.Trained(new Element(0, 8), 80, 1, 2, 9));
        assertThat(life.over()).isFalse();
        life.take("trained 11\nend 12\n");
        assertThat(life.trained()).hasSize(3);
        assertThat(life.wrong()).containsExactly("wrong 1 7 70");
        assertThat(life.over()).isTrue();
    }

    @Test
    void whatATrainerWritesIsReadAsItGrows() {
        Path path = folder.resolve("diary");
        Life life = new Life(path, 3);
        life.read();
        assertThat(life.begun()).isFalse();
        assertThat(life.joined()).isFalse();
        try (Diary diary = Diary.begin(path)) {
            diary.say(Diary.JOINED);
            diary.trained(1, new long[] {4, 6}, new long[] {40, 60}, 2, 3);
            life.read();
            assertThat(life.joined()).isTrue();
            assertThat(life.trained())
                    .extracting(Life.Trained::element)
                    .containsExactly(new Element(1, 4), new Element(1, 6));
            diary.say(Diary.LEFT);
        }
        life.read();
        assertThat(life.over()).isTrue();
        assertThat(life.trained()).hasSize(2);
    }
}
