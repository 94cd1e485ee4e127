/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.release;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.ProjectFiles;
import io.sparkstencil.testkit.ProjectModules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who gets a part of the project gets its licence. */
final class LicenceTest {
  private static final String HEADER =
      "Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0";

  @Test
  void theJarOfEachModuleHoldsLicenceAndNotice() throws IOException {
    for (String module : ProjectModules.released()) {
      for (String file : List.of("LICENSE", "NOTICE")) {
        assertThat(HOME.resolve(module).resolve("target/classes/META-INF").resolve(file))
            .as("%s of %s", file, module)
            .hasSameTextualContentAs(HOME.resolve(file));
      }
    }
  }

  @Test
  void everySourceBeginsWithTheLicence() throws IOException {
    List<Path> sources = ProjectFiles.endingIn(".java", ".scala", ".py");

    assertThat(sources).hasSizeGreaterThan(2000);
    assertThat(sources.stream().filter(source -> !hasHeader(source))).isEmpty();
  }

  private static boolean hasHeader(Path source) {
    try (Stream<String> lines = Files.lines(source)) {
      return lines.limit(2).anyMatch(line -> line.contains(HEADER));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
