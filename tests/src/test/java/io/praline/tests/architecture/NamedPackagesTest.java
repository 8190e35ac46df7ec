package io.praline.tests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class NamedPackagesTest {

    @Test
    void importsAndFullNamesAreFoundAndNothingElseIs() {
        assertThat(NamedPackages.in("""
                        package a.of.its.own;

                        import b.imported.Type;
                        import static c.member.Type.NUMBER;

                        /** As {@link d.commented.Type} has it, "e.quoted.Type" too. */
                        class Own {
                            int one = f.full.Type.NUMBER; // and g.commented.Type
                            String glob = "/h/*"; i.full.Type between = null; String end = "*/";
                            char quote = '"'; j.full.Type behind; char other = '"';
                            String escaped = "\\"k.quoted.Type";
                            String web = "http://l.quoted.Type"; m.full.Type last;
                            int local = value.field;
                        }
                        """))
                .containsExactly("b.imported", "c.member", "f.full", "i.full", "j.full", "m.full");
    }

    // what it has of topics is a number, so no class file says whose
    @Test
    void aConstantOfAnotherClassIsFoundThoughTheCompilerWroteItOut() throws ClassNotFoundException {
        Class<?> pages = Class.forName("io.praline.dispatcher.ledger.PlanPages");
        JavaClasses one = new ClassFileImporter().importClasses(pages);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.praline.topics..")
                .check(one);

        assertThatThrownBy(() -> noClasses()
                        .should(NamedPackages.know("io.praline.topics.."))
                        .check(one))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the source of " + pages.getName() + " names types of io.praline.topics");
    }
}
