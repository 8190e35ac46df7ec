package io.praline.deploy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Target;
import io.praline.policy.simulation.Point;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class CoursePlotTest {
    private static final List<Point> COURSE = List.of(
            new Point(10, new Target(1, 0), Target.NONE, OptionalDouble.empty(), 0.1),
            new Point(20, new Target(1, 0), new Target(1, 0), OptionalDouble.of(40), 0.2));

    // time runs from 70 to 940, a panel is 150 high: one worker of at most 1 is at its top
    @Test
    void workersAreStairsOverTime() throws Exception {
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(CoursePlot.svg("a<b", Map.of("pecan", COURSE)))));
        NodeList lines = svg.getElementsByTagName("polyline");
        assertThat(lines.getLength()).isEqualTo(4);
        assertThat(lines.item(0).getAttributes().getNamedItem("points").getNodeValue())
                .isEqualTo("505.0,214.0 505.0,214.0 940.0,214.0 940.0,64.0");
        assertThat(svg.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("scenario a<b");
    }
}
