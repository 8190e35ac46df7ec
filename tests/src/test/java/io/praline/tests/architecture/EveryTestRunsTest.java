package io.praline.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.resolvers.SelectedClassResolverFromClasspath;
import com.tngtech.archunit.junit.AnalyzeClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.jqwik.api.Group;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.annotation.Testable;

/**
 * Surefire runs the classes {@code *Test} (see the includes in the parent's {@code pom.xml}) and leaves out, without a
 * word, whatever else holds tests. Read from the compiled tests of all modules.
 */
class EveryTestRunsTest {
    private static final Path ROOT = Path.of("..");

    @ParameterizedTest
    @MethodSource("modules")
    void everyClassThatHoldsATestIsRun(String module) {
        JavaClasses compiled = testClasses(module);
        Set<String> included = included(compiled);
        Set<String> run = new TreeSet<>();
        Set<String> never = new TreeSet<>();
        for (JavaClass type : compiled) {
            if (holdsATest(type) && !type.getModifiers().contains(JavaModifier.ABSTRACT)) {
                (isRun(type) || included.contains(type.getName()) ? run : never).add(type.getName());
            }
        }

        assertThat(never).as("classes with tests that are never run").isEmpty();
        assertThat(run).isNotEmpty();
    }

    private static List<String> modules() throws IOException {
        return Pattern.compile("<module>(.*)</module>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Of what is not in the folder, only annotations are looked up: all else would take seconds a module. */
    private static JavaClasses testClasses(String module) {
        return ArchConfiguration.withThreadLocalScope((ArchConfiguration configuration) -> {
            configuration.setClassResolver(SelectedClassResolverFromClasspath.class);
            configuration.setClassResolverArguments("org.junit", "net.jqwik", "com.tngtech.archunit.junit");
            return new ClassFileImporter()
                    .importPath(ROOT.resolve(module).resolve("target").resolve("test-classes"));
        });
    }

    /** {@code @Testable} stands on every annotation by which an engine finds a test: Jupiter's, jqwik's and ArchUnit's. */
    private static boolean holdsATest(JavaClass type) {
        return type.getAllMembers().stream().anyMatch(member -> member.isMetaAnnotatedWith(Testable.class));
    }

    /** Classes of rules that one of ArchUnit's tests has in it, which is run. */
    private static Set<String> included(JavaClasses compiled) {
        return compiled.stream()
                .filter(type -> type.isAnnotatedWith(AnalyzeClasses.class) && isRun(type))
                .flatMap(type -> type.getStaticInitializer().stream())
                .flatMap(initializer -> initializer.getReferencedClassObjects().stream())
                .map(named -> named.getRawType().getName())
                .collect(Collectors.toSet());
    }

    private static boolean isRun(JavaClass type) {
        if (type.getEnclosingClass().isEmpty()) {
            return type.getSimpleName().endsWith("Test");
        }
        boolean nested =
                type.isAnnotatedWith(Nested.class) && !type.getModifiers().contains(JavaModifier.STATIC);
        return (nested || type.isAnnotatedWith(Group.class))
                && isRun(type.getEnclosingClass().get());
    }
}
