/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.DocumentationTool;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The documentation of what users name is built without a warning, each class has an example, and
 * the examples compile. The pages are left in the folder target/javadoc of this module.
 */
final class PublicApiTest {
  private static final Path PAGES = Path.of("target", "javadoc").toAbsolutePath();
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @TempDir private Path folder;

  @Test
  void theDocumentationOfAllThatUsersNameIsBuiltWithoutAWarning() throws IOException {
    PublicApi api = PublicApi.read();
    List<Path> sources =
        Stream.concat(api.packageInfos().stream(), api.sources().stream()).toList();
    Files.createDirectories(PAGES);
    DocumentationTool tool = ToolProvider.getSystemDocumentationTool();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    boolean built;
    try (StandardJavaFileManager files = tool.getStandardFileManager(said, null, null)) {
      built =
          tool.getTask(
                  null, files, said, null, options(), files.getJavaFileObjectsFromPaths(sources))
              .call();
    }

    assertThat(sources).hasSizeGreaterThan(60);
    assertThat(said.getDiagnostics().stream().map(PublicApiTest::text)).isEmpty();
    assertThat(built).isTrue();
    assertThat(PAGES.resolve("io/sparkstencil/spark/Stencils.html")).exists();
    assertThat(PAGES.resolve("io/sparkstencil/model/package-summary.html")).exists();
  }

  private List<String> options() throws IOException {
    Path overview = folder.resolve("overview.html");
    Files.writeString(
        overview,
        "<body>Stencils on Apache Spark. Rows and arrays begin with {@link"
            + " io.sparkstencil.spark.Stencils}, grids with {@link"
            + " io.sparkstencil.spark.grid.StencilGrids}, stencils themselves with {@link"
            + " io.sparkstencil.model.Stencil}.</body>");
    return List.of(
        "-quiet",
        "-Xdoclint:all,-missing", // Checkstyle asks for comments; what they return, they begin with
        "-notimestamp",
        "-windowtitle",
        "Spark Stencil",
        "-doctitle",
        "Spark Stencil",
        "-overview",
        overview.toString(),
        "-d",
        PAGES.toString(),
        "-classpath",
        CLASS_PATH,
        "-sourcepath",
        folder.toString());
  }

  private static String text(Diagnostic<? extends JavaFileObject> each) {
    String place = each.getSource() == null ? "" : each.getSource().getName();
    return "%s:%d: %s".formatted(place, each.getLineNumber(), each.getMessage(Locale.ROOT));
  }

  @Test
  void everyClassThatUsersNameHasAnExample() throws IOException {
    List<String> without = new ArrayList<>();
    for (Path source : PublicApi.read().sources()) {
      String name = source.getFileName().toString();
      boolean isOneOfTheExceptions =
          name.endsWith("Exception.java") && !name.equals("StencilException.java");
      if (!isOneOfTheExceptions && PublicApi.examples(source).isEmpty()) {
        without.add(name);
      }
    }

    assertThat(without).isEmpty();
  }

  @Test
  void examplesCompile() throws IOException {
    PublicApi api = PublicApi.read();
    List<JavaFileObject> programs = new ArrayList<>();
    for (Path source :
        Stream.concat(api.packageInfos().stream(), api.sources().stream()).toList()) {
      for (String example : PublicApi.examples(source)) {
        programs.add(program(api, source, programs.size(), example));
      }
    }
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    List<String> options = List.of("-proc:none", "-classpath", CLASS_PATH, "-d", folder.toString());
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(null, null, said, options, null, programs)
            .call();

    assertThat(said.getDiagnostics().stream().map(PublicApiTest::text)).isEmpty();
    assertThat(compiled).isTrue();
    assertThat(programs).hasSizeGreaterThan(45);
  }

  /** Returns a class that has an example as its method, and what examples find in their way. */
  private static JavaFileObject program(PublicApi api, Path source, int number, String example) {
    String name =
        source.getFileName().toString().replace("-", "").replace(".java", "Example") + number;
    StringBuilder text = new StringBuilder("import static org.apache.spark.sql.functions.col;\n");
    Stream.concat(
            api.sourcesByPackage().keySet().stream(),
            Stream.of(
                "java.util",
                "org.apache.hadoop.conf",
                "org.apache.spark.api.java",
                "org.apache.spark.sql"))
        .forEach(each -> text.append("import ").append(each).append(".*;\n"));
    text.append(
        """
        class %s {
          SparkSession spark;
          Dataset<Row> readings;
          Dataset<Row> result;
          JavaRDD<int[]> counts;
          JavaRDD<float[]> traces;
          JavaPairRDD<String, float[]> tracesByStation;
          StencilProgram program;
          StencilGrid grid;
          Configuration hadoop;
          String path;
          void example() throws Exception {
        %s
          }
        }
        """
            .formatted(name, example));
    URI place = URI.create("string:///" + name + ".java");
    return new SimpleJavaFileObject(place, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoresErrors) {
        return text;
      }
    };
  }
}
