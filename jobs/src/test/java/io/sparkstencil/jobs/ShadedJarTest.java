/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonValue;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar that users put on their class path, beside Spark, and beside the RAPIDS Accelerator. The
 * build runs this once the jar is there; its place is the system property {@code stencil.jar}.
 */
final class ShadedJarTest {
  private static final long LARGEST_BYTES = 20_000_000;

  /** What is in the jar of what Maven's local repository holds. */
  private static final String OURS = "io/sparkstencil";

  @TempDir private Path folder;

  private static Path jar() {
    return Path.of(System.getProperty("stencil.jar"));
  }

  /** The class path of Spark alone, as the build writes it for the command. */
  private static List<Path> spark() throws IOException {
    return jars(Files.readString(jar().resolveSibling("spark-classpath.txt")));
  }

  /** The libraries on the class path of this test that are not our own modules. */
  private static List<Path> libraries() {
    return jars(System.getProperty("java.class.path")).stream()
        .filter(jar -> !jar.toString().contains("spark-stencil-"))
        .filter(jar -> !jar.toString().contains(OURS))
        .toList();
  }

  private static List<Path> jars(String classPath) {
    return Stream.of(classPath.strip().split(File.pathSeparator))
        .filter(place -> place.endsWith(".jar"))
        .map(Path::of)
        .toList();
  }

  @Test
  void theJarIsSmall() throws IOException {
    assertThat(Files.size(jar())).isBetween(1_000_000L, LARGEST_BYTES);
  }

  @Test
  void theJarHoldsAndUsesNoClassThatCouldClash() throws IOException {
    ShadedJar shaded = ShadedJar.read(jar());
    assertThat(spark()).hasSizeGreaterThan(100);

    assertThat(shaded.strangers()).isEmpty();
    assertThat(shaded.references()).isEmpty();
    assertThat(shaded.clashes(spark())).isEmpty();
  }

  @Test
  void theNoticeNamesEveryLibraryInTheJar() throws IOException {
    ShadedJar shaded = ShadedJar.read(jar());
    Set<Path> sources = shaded.sources(libraries());

    assertThat(sources).hasSizeGreaterThan(5);
    assertThat(shaded.unnamed(sources)).isEmpty();
  }

  /** Builds with {@code -Prelease} alone make the list of components. */
  @Test
  void theListOfComponentsIsWhatIsInTheJar() throws IOException {
    Path list = jar().resolveSibling("spark-stencil-sbom.json");
    assumeTrue(
        Files.exists(list), () -> "the build was without -Prelease and has not written " + list);
    Set<String> listed = new TreeSet<>();
    Set<String> empty = new TreeSet<>();
    for (JsonValue each :
        Json.parse(Files.readString(list)).asObject().get("components").asArray()) {
      String name = each.asObject().getString("name", "");
      String version = each.asObject().getString("version", "");
      if (!name.startsWith("spark-stencil-")) {
        listed.add(name + " " + version);
      }
      assertThat(each.asObject().get("licenses").asArray()).as(name).isNotEmpty();
    }
    Set<String> inside =
        ShadedJar.read(jar()).sources(libraries()).stream()
            .map(ShadedJarTest::artifact)
            .collect(Collectors.toCollection(TreeSet::new));
    empty.addAll(listed);
    empty.removeAll(inside);

    assertThat(listed).containsAll(inside);
    assertThat(empty).allMatch(name -> name.startsWith("batik-shared-resources "));
  }

  private static String artifact(Path jar) {
    Path version = jar.getParent();
    return version.getParent().getFileName() + " " + version.getFileName();
  }

  @Test
  void aJarWithClassesOfOthersIsFound() throws IOException {
    Path library = folder.resolve("org/other/library/1/library-1.jar");
    write(library, Map.of("other/Thing.class", "", "picocli/CommandLine.class", ""));
    Path bad = folder.resolve("bad.jar");
    write(
        bad,
        Map.of(
            "other/Thing.class", "\1\0\23picocli/CommandLine",
            "io/sparkstencil/shaded/picocli/CommandLine.class", "(Lorg/knowm/Chart;)V",
            "com/nvidia/spark/Plugin.class", "Lio/sparkstencil/shaded/knowm/Chart;",
            "META-INF/NOTICE", "picocli (info.picocli:picocli)"));
    ShadedJar shaded = ShadedJar.read(bad);

    assertThat(shaded.strangers())
        .containsExactly(
            "com/nvidia/spark/Plugin.class is neither ours nor moved",
            "other/Thing.class is neither ours nor moved");
    assertThat(shaded.references())
        .containsExactly(
            "io/sparkstencil/shaded/picocli/CommandLine.class refers to org/knowm/",
            "other/Thing.class refers to picocli/");
    assertThat(shaded.clashes(List.of(library)))
        .containsExactly("other/Thing.class is in library-1.jar too");
    assertThat(shaded.sources(List.of(library))).containsExactly(library);
    assertThat(shaded.unnamed(List.of(library))).containsExactly("NOTICE does not name library");
  }

  private static void write(Path jar, Map<String, String> files) throws IOException {
    Files.createDirectories(jar.getParent());
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue().getBytes(ISO_8859_1));
      }
    }
  }
}
