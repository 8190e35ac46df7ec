package io.praline.tests.architecture;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** All rules on who may know whom, over classes that are read once: that takes most of their time. */
@AnalyzeClasses(packages = "io.praline", importOptions = MainClasses.class)
class WallsTest {

    @ArchTest
    static final ArchTests MODULES = ArchTests.in(Modules.class);

    @ArchTest
    static final ArchTests PACKAGES = ArchTests.in(Packages.class);

    @ArchTest
    static final ArchTests PURITY = ArchTests.in(Purity.class);
}
