package io.praline.worker.graph.source.rows;

import java.util.Set;

/** Ops that make each value of those at its place, beside {@link io.praline.worker.graph.Elementwise}, whose ops steps are put in order by, too. */
final class ValueByValue {
    static final Set<String> OPS = Set.of(
            "Acos",
            "Acosh",
            "ApproximateEqual",
            "Asin",
            "Asinh",
            "Atan",
            "Atanh",
            "BesselI0",
            "BesselI0e",
            "BesselI1",
            "BesselI1e",
            "Betainc",
            "CheckNumerics",
            "CheckNumericsV2",
            "Complex",
            "Conj",
            "DeepCopy",
            "Digamma",
            "Erfc",
            "Erfinv",
            "FakeQuantWithMinMaxArgs",
            "GuaranteeConst",
            "Igamma",
            "Igammac",
            "LeftShift",
            "Lgamma",
            "Ndtri",
            "NextAfter",
            "Polygamma",
            "PopulationCount",
            "RightShift",
            "Snapshot",
            "StringJoin",
            "UnicodeScript",
            "Zeta");

    private ValueByValue() {}
}
