/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which packages may use which; ARCHITECTURE.md draws the same arrows. */
class DependencyRulesTest {
  private static final String[] CORE = {
    "io.sparkstencil.cells..",
    "io.sparkstencil.conf..",
    "io.sparkstencil.cpu..",
    "io.sparkstencil.engine..",
    "io.sparkstencil.error..",
    "io.sparkstencil.failover..",
    "io.sparkstencil.model..",
    "io.sparkstencil.pipeline..",
    "io.sparkstencil.reference..",
    "io.sparkstencil.segment..",
    "io.sparkstencil.staging.."
  };

  private static JavaClasses product;

  @BeforeAll
  static void importClasses() {
    product =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("testkit"))
            .importPackages("io.sparkstencil");
    assertThat(product).as("classes found").hasSizeGreaterThan(20);
  }

  private static void hold(ArchRule rule) {
    rule.allowEmptyShould(true).check(product);
  }

  @Test
  void coreUsesNothingButTheJdk() {
    String[] allowed = java.util.Arrays.copyOf(CORE, CORE.length + 2);
    allowed[CORE.length] = "java..";
    allowed[CORE.length + 1] = "jdk.incubator.vector..";
    hold(
        classes()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(allowed)
            .because("core must run with the JDK alone"));
  }

  @Test
  void onlyTheCpuEngineUsesTheVectorApi() {
    hold(
        noClasses()
            .that()
            .haveSimpleNameNotStartingWith("Vector")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jdk.incubator.vector..")
            .because("the module may be absent, so only io.sparkstencil.cpu.Vector* touch it"));
  }

  @Test
  void onlyTheDriverLayerUsesJcuda() {
    hold(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.sparkstencil.cuda..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jcuda..")
            .because("io.sparkstencil.cuda is the driver layer: use its types"));
  }

  @Test
  void onlySparkPackagesUseSpark() {
    hold(
        noClasses()
            .that()
            .resideOutsideOfPackages("io.sparkstencil.spark..", "io.sparkstencil.jobs..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.spark..")
            .because("core and kernels run without Spark"));
  }

  @Test
  void onlySparkPackagesUseScalaAndCatalyst() {
    hold(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.sparkstencil.spark..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("scala..", "org.apache.spark.sql.catalyst..")
            .because("Scala types and Catalyst's internals stay behind io.sparkstencil.spark"));
  }

  @Test
  void kernelsDoNotUseSparkLayers() {
    hold(
        noClasses()
            .that()
            .resideOutsideOfPackages("io.sparkstencil.spark..", "io.sparkstencil.jobs..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sparkstencil.spark..", "io.sparkstencil.jobs..")
            .because("the arrows are core -> kernels -> spark-udfs -> jobs"));
    hold(
        noClasses()
            .that()
            .resideInAPackage("io.sparkstencil.spark..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sparkstencil.jobs..")
            .because("the arrows are core -> kernels -> spark-udfs -> jobs"));
  }

  @Test
  void modelStandsBelowStagingBelowEnginesBelowThePipeline() {
    below("model", "cells", "segment", "staging", "engine", "pipeline", "cpu", "reference", "conf");
    below("cells", "segment", "staging", "engine", "pipeline", "cpu", "reference");
    below("segment", "staging", "engine", "pipeline", "cpu", "reference");
    below("staging", "engine", "pipeline", "cpu", "reference");
    below("engine", "pipeline", "cpu", "reference");
    below("pipeline", "cpu", "reference");
    below("error", "model", "cells", "segment", "staging", "engine", "pipeline", "conf");
  }

  private static void below(String lower, String... upper) {
    String[] packages = new String[upper.length];
    for (int i = 0; i < upper.length; i++) {
      packages[i] = "io.sparkstencil.%s..".formatted(upper[i]);
    }
    hold(
        noClasses()
            .that()
            .resideInAPackage("io.sparkstencil.%s..".formatted(lower))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(packages)
            .because("%s stands below %s".formatted(lower, String.join(", ", upper))));
  }

  /** The rules can fail: staging does use the model. */
  @Test
  void aBrokenArrowIsReportedWithClassAndReason() {
    assertThatThrownBy(() -> below("staging", "model"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("StagingLayout")
        .hasMessageContaining("staging stands below model");
  }
}
