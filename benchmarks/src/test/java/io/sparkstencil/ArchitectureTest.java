/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceRule;
import io.sparkstencil.testkit.ProjectModules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Option;
import scala.Tuple2;

/**
 * The arrows that ARCHITECTURE.md draws, between modules and between packages, and the size of
 * packages: read from the compiled classes of all modules.
 */
final class ArchitectureTest {
  private static final int MOST_FILES = 45;

  /** Where the builds put the classes of tests. */
  private static final Pattern TESTS = Pattern.compile(".*/(test-classes|test)/.*");

  /** The modules; each may use those named after it, and nothing else of this project. */
  @SuppressWarnings("ImmutableEnumChecker") // nothing changes its sets
  private enum Module {
    CORE("core"),
    TESTKIT("testkit", CORE),
    KERNELS("kernels", CORE),
    FIELDS("fields", CORE),
    RUNTIME("spark-runtime", CORE, KERNELS),
    GRIDS("spark-grids", CORE, KERNELS, FIELDS, RUNTIME),
    WINDOWS("spark-windows", CORE, KERNELS, RUNTIME),
    UDFS("spark-udfs", CORE, KERNELS, RUNTIME, WINDOWS),
    JOBS("jobs", CORE, FIELDS, GRIDS, UDFS),
    SURVEY("survey", CORE, KERNELS, FIELDS, JOBS),
    BENCHMARKS("benchmarks", CORE, TESTKIT, KERNELS, FIELDS, RUNTIME, GRIDS, WINDOWS, UDFS, JOBS);

    private final String folder;
    private final Set<Module> used;
    private final Map<String, Long> filesByPackage;

    Module(String folder, Module... used) {
      this.folder = folder;
      this.used = Set.of(used);
      this.filesByPackage = filesByPackage(HOME.resolve(folder).resolve("src/main/java"));
    }

    private boolean holds(JavaClass type) {
      return filesByPackage.containsKey(type.getPackageName())
          || (this == BENCHMARKS && type.getPackageName().endsWith(".jmh_generated"));
    }

    private DescribedPredicate<JavaClass> classes() {
      return DescribedPredicate.describe("reside in module " + folder, this::holds);
    }

    private DescribedPredicate<JavaClass> forbidden() {
      return DescribedPredicate.describe(
          "reside in a module that %s may not use".formatted(folder),
          type ->
              Stream.of(values())
                  .anyMatch(other -> other != this && !used.contains(other) && other.holds(type)));
    }
  }

  private static Map<String, Long> filesByPackage(Path sources) {
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .collect(
              Collectors.groupingBy(
                  file -> sources.relativize(file.getParent()).toString().replace('/', '.'),
                  TreeMap::new,
                  Collectors.counting()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Let go after the last test: it is large, and tests after this one in the process look at the
   * heap.
   */
  private static JavaClasses all =
      new ClassFileImporter()
          .withImportOption(place -> !place.matches(TESTS))
          .importPackages("io.sparkstencil");

  private static JavaClasses of(Module... modules) {
    return all.that(
        DescribedPredicate.describe(
            "in modules", type -> Stream.of(modules).anyMatch(module -> module.holds(type))));
  }

  private static JavaClasses product =
      of(
          Stream.of(Module.values())
              .filter(module -> ProjectModules.released().contains(module.folder))
              .toArray(Module[]::new));

  @AfterAll
  static void letGo() {
    all = null;
    product = null;
  }

  @Test
  void allModulesOfTheProjectHaveTheirArrows() {
    assertThat(Stream.of(Module.values()).map(module -> module.folder))
        .containsExactlyInAnyOrderElementsOf(ProjectModules.all());
  }

  @ParameterizedTest
  @EnumSource
  void modulesUseNoneToTheirRight(Module module) {
    noClasses()
        .that(module.classes())
        .should()
        .dependOnClassesThat(module.forbidden())
        .because("ARCHITECTURE.md draws the arrows between modules")
        .check(all);
  }

  @Test
  void everyClassIsOfOneModule() {
    assertThat(all).hasSizeGreaterThan(400);
    for (JavaClass type : all) {
      assertThat(Stream.of(Module.values()).filter(module -> module.holds(type)))
          .as(type.getName())
          .hasSize(1);
    }
  }

  private static final SliceRule NO_CYCLES =
      slices().matching("io.sparkstencil.(**)").should().beFreeOfCycles();

  @Test
  void packagesHaveNoCycles() {
    NO_CYCLES.check(all);
  }

  /** The rule can fail: two packages of this test use each other. */
  @Test
  void aCycleIsReportedWithItsPackages() {
    JavaClasses cycle = new ClassFileImporter().importPackages("io.sparkstencil.cycle");

    assertThatThrownBy(() -> NO_CYCLES.check(cycle))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("cycle.left")
        .hasMessageContaining("cycle.right");
  }

  @ParameterizedTest
  @EnumSource
  void packagesAreRoomsOfAFewFilesAndSayWhatTheyHold(Module module) {
    module.filesByPackage.forEach(
        (name, files) -> {
          Path folder =
              HOME.resolve(module.folder).resolve("src/main/java").resolve(name.replace('.', '/'));
          assertThat(folder.resolve("package-info.java")).exists();
          assertThat(files).as("files of " + name).isLessThanOrEqualTo(MOST_FILES);
        });
  }

  @Test
  void coreUsesTheJdkAlone() {
    classes()
        .that(Module.CORE.classes())
        .should()
        .onlyDependOnClassesThat(
            Module.CORE
                .classes()
                .or(resideInAnyPackage("java..", "javax.crypto..", "jdk.incubator.vector..")))
        .because("core must run with the JDK alone")
        .check(all);
  }

  @Test
  void kernelsUseCoreJcudaAndAJsonParserAlone() {
    classes()
        .that(Module.KERNELS.classes())
        .should()
        .onlyDependOnClassesThat(
            Module.KERNELS
                .classes()
                .or(Module.CORE.classes())
                .or(resideInAnyPackage("java..", "jcuda..", "com.eclipsesource.json..")))
        .because("kernels run without Spark")
        .check(all);
  }

  private static DescribedPredicate<JavaClass> ofSpark() {
    return Module.RUNTIME
        .classes()
        .or(Module.GRIDS.classes())
        .or(Module.WINDOWS.classes())
        .or(Module.UDFS.classes());
  }

  @Test
  void theModulesForSparkKnowNothingOfTheCommandLineAndPlots() {
    noClasses()
        .that(ofSpark())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("picocli..", "org.knowm..")
        .check(all);
  }

  @Test
  void jobsUseThePublicApiOfTheSparkModule() {
    noClasses()
        .that(Module.JOBS.classes())
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.sparkstencil.spark.*..")
                .and(
                    not(
                        resideInAnyPackage(
                            "io.sparkstencil.spark.csv",
                            "io.sparkstencil.spark.files..",
                            "io.sparkstencil.spark.grid"))))
        .check(all);
  }

  /** Hadoop, the parser and the codecs come with Spark, but are libraries of their own. */
  @Test
  void fieldsInFilesKnowNoSpark() {
    noClasses()
        .that(Module.FIELDS.classes())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.spark..", "scala..")
        .check(all);
  }

  @Test
  void onlyTheFileFormatsUseTheParsersAndCodecsOfSpark() {
    noClasses()
        .that(ofSpark())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.fasterxml..", "com.github.luben..", "net.jpountz..")
        .because("these libraries come with Spark, in versions of its choice")
        .check(all);
  }

  @Test
  void onlyTheCpuEngineUsesTheVectorApi() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("Vector")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .because("the module may be absent, so only io.sparkstencil.cpu.passes.Vector* touch it")
        .check(all);
  }

  @Test
  void onlyTheDriverLayerUsesJcuda() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sparkstencil.cuda..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jcuda..")
        .because("io.sparkstencil.cuda is the driver layer: use its types")
        .check(all);
  }

  /** Pairs and options are part of Spark's Java API. */
  @Test
  void onlyTheCatalystPackagesUseScalaAndPlanInternals() {
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
        .check(product);
  }

  /** The packages of formats of fields, which know nothing of each other. */
  private static final List<String> FORMATS = List.of("npy", "zarr", "hdf5", "netcdf", "tiff");

  @Test
  void modelStandsBelowStagingBelowEnginesBelowThePipeline() {
    below("model", "cells", "segment", "staging", "engine", "pipeline", "cpu", "reference", "conf");
    below("model", "program");
    below("program", "grid");
    below("program", "cells", "segment", "staging", "engine", "pipeline", "cpu", "reference");
    below("cells", "segment", "staging", "engine", "pipeline", "cpu", "reference");
    below("segment", "staging", "engine", "pipeline", "cpu", "reference");
    below("staging", "engine", "pipeline", "cpu", "reference");
    below("engine", "pipeline", "cpu", "reference");
    below("pipeline", "cpu", "reference");
    below("spark.files.codec", "spark.files.cells", "spark.files.paths");
    for (String format : FORMATS) {
      below("spark.files.codec", "spark.files." + format);
      below("spark.files.cells", "spark.files." + format);
      below("spark.files." + format, "spark.files.paths");
      for (String other : FORMATS) {
        if (!other.equals(format)) {
          below("spark.files." + format, "spark.files." + other);
        }
      }
    }
    below("spark.files", "spark.grid", "spark.programs", "spark.plugin", "spark.catalyst");
    below("error", "model", "cells", "segment", "staging", "engine", "pipeline", "conf");
  }

  private static void below(String lower, String... upper) {
    noClasses()
        .that()
        .resideInAPackage("io.sparkstencil.%s..".formatted(lower))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            Stream.of(upper).map("io.sparkstencil.%s.."::formatted).toArray(String[]::new))
        .because("%s stands below %s".formatted(lower, String.join(", ", upper)))
        .check(all);
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
