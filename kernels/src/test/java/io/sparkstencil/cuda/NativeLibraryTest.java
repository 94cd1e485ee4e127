/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other threads of a process whose temporary directory changes while JCuda loads. */
class NativeLibraryTest {
  /** In place of JCuda's: unpacks its library while other threads use the temporary directory. */
  private static final String LOADING =
      """
      package jcuda.driver;

      import java.io.File;
      import java.nio.file.Files;
      import java.nio.file.Path;

      public class JCudaDriver {
        static {
          try {
            Path directory = Path.of(System.getProperty("java.io.tmpdir"));
            System.setProperty("used.while.loading", directory.toString());
            Files.createFile(directory.resolve("libJCudaDriver-0-linux-x86_64.so"));
            Files.createFile(directory.resolve("library-of-others.so"));
            File.createTempFile("of-others", ".tmp").deleteOnExit();
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        }
      }
      """;

  @TempDir private Path folder;

  /** What the other process does. */
  static final class Loading {
    private Loading() {}

    public static void main(String[] arguments) throws IOException {
      String reason = NativeLibrary.load().orElse("loaded");
      File later = File.createTempFile("later", ".tmp");
      Files.delete(later.toPath());
      String[] left = new File(System.getProperty("used.while.loading")).list();
      System.out.println(reason + ", left " + Arrays.toString(left) + ", later " + later);
    }
  }

  @Test
  void filesThatOthersPutThereAreLeftAloneAndTemporaryFilesStayPossible() throws Exception {
    assumeTrue(
        NativeLibrary.unsupportedPlatform(
                System.getProperty("os.name"), System.getProperty("os.arch"))
            .isEmpty());
    Path source =
        Files.createDirectories(folder.resolve("jcuda/driver")).resolve("JCudaDriver.java");
    Files.writeString(source, LOADING);
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
        .isZero();
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                folder + File.pathSeparator + System.getProperty("java.class.path"),
                Loading.class.getName())
            .redirectErrorStream(true)
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(said)
        .startsWith("loaded, left [library-of-others.so], later " + temporary + File.separator);
  }

  @Test
  void removesWhatProcessesThatWereKilledHaveUnpackedADayBefore() throws IOException {
    String library = "libJCudaDriver-12.6.0-linux-x86_64.so";
    for (String name :
        List.of("spark-stencil-1", "spark-stencil-2", "spark-stencil-3", "other-4")) {
      Files.createFile(Files.createDirectory(folder.resolve(name)).resolve(library));
    }
    Files.createFile(folder.resolve("spark-stencil-3/library-of-others.so"));
    for (String old : List.of("spark-stencil-1", "spark-stencil-3", "other-4")) {
      Files.setLastModifiedTime(
          folder.resolve(old), FileTime.from(Instant.now().minus(Duration.ofHours(25))));
    }

    NativeLibrary.removeLeft(folder);

    assertThat(folder.resolve("spark-stencil-1")).doesNotExist();
    assertThat(folder.resolve("spark-stencil-2").resolve(library)).as("of now").exists();
    assertThat(folder.resolve("spark-stencil-3").toFile().list())
        .containsExactly("library-of-others.so");
    assertThat(folder.resolve("other-4").resolve(library)).exists();
  }
}
