package io.praline.tests.rig;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** The test starts a Kafka of its own, whatever Kafka there is: it is skipped where the flows are run to try another one. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OwnKafka.Skip.class)
public @interface OwnKafka {
    /** Why it must. */
    String value();

    /** Skips it where an external Kafka is told. */
    final class Skip implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), OwnKafka.class)
                    .filter(own -> ExternalKafka.told().isPresent())
                    .map(own -> ConditionEvaluationResult.disabled("it has a Kafka of its own: " + own.value()))
                    .orElse(ConditionEvaluationResult.enabled("the Kafka is embedded"));
        }
    }
}
