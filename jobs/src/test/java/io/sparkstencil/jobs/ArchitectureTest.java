/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.Tuple2;

/** The arrows between modules and packages, read from the compiled classes. */
final class ArchitectureTest {
  private static final String ALL = "io.sparkstencil..";
  private static final String KERNELS = "io.sparkstencil.kernels..";
  private static final String CUDA = "io.sparkstencil.cuda..";
  private static final String SPARK = "io.sparkstencil.spark..";
  private static final String JOBS = "io.sparkstencil.jobs..";
  private static final String TESTKIT = "io.sparkstencil.testkit..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.sparkstencil");

  @Test
  void seesEveryModule() {
    assertThat(CLASSES.contain("io.sparkstencil.model.Stencil")).isTrue();
    assertThat(CLASSES.contain("io.sparkstencil.spark.Stencils")).isTrue();
    assertThat(CLASSES.contain(StencilCommand.class)).isTrue();
  }

  @Test
  void coreUsesTheJdkAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(KERNELS, CUDA, SPARK, JOBS, TESTKIT)
        .should()
        .dependOnClassesThat(
            not(resideInAnyPackage(ALL, "java..", "jdk.incubator.vector.."))
                .or(resideInAnyPackage(KERNELS, CUDA, SPARK, JOBS, TESTKIT)))
        .check(CLASSES);
  }

  @Test
  void kernelsKnowNothingOfSpark() {
    noClasses()
        .that()
        .resideInAnyPackage(KERNELS, CUDA)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(SPARK, JOBS, "org.apache.spark..", "scala..")
        .check(CLASSES);
  }

  @Test
  void theSparkModuleKnowsNothingOfJobs() {
    noClasses()
        .that()
        .resideInAPackage(SPARK)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(JOBS, "picocli..", "org.knowm..", "me.tongfei..")
        .check(CLASSES);
  }

  @Test
  void oneSourceOfDriverCalls() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CUDA)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jcuda..")
        .check(CLASSES);
  }

  /** Pairs and options are part of Spark's Java API. */
  @Test
  void onlyTheCatalystPackageUsesScalaAndPlanInternals() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sparkstencil.spark.catalyst..")
        .and()
        .doNotHaveFullyQualifiedName("io.sparkstencil.spark.StencilExtensions") // Spark's own entry
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "scala..", "org.apache.spark.sql.catalyst..", "org.apache.spark.sql.execution")
                .and(not(belongToAnyOf(Tuple2.class, Option.class))))
        .check(CLASSES);
  }

  @Test
  void jobsUseThePublicApiOfTheSparkModule() {
    noClasses()
        .that()
        .resideInAPackage(JOBS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.sparkstencil.spark.*..", KERNELS, CUDA)
        .check(CLASSES);
  }
}
