/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The example of a grid, which docs/grids.md shows, draws its frames. */
final class GridExampleSparkTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home")).toAbsolutePath();
  private static final Path EXAMPLE = HOME.resolve("examples/java/SpotsOnAGrid.java");

  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void drawsItsFrames() throws Exception {
    Path gif = folder.resolve("spots.gif");
    new UserProgram(EXAMPLE).run(folder, gif.toString(), "2");

    try (ImageInputStream stream = ImageIO.createImageInputStream(gif.toFile())) {
      ImageReader reader = ImageIO.getImageReaders(stream).next();
      reader.setInput(stream);
      assertThat(reader.getNumImages(true)).isEqualTo(2);
    }
  }

  @Test
  void isWhatThePageOfGridsShows() throws IOException {
    String page = Files.readString(HOME.resolve("docs/grids.md"));
    int begin = page.indexOf("StencilProgram react");
    List<String> shown =
        page.substring(begin, page.indexOf("```", begin)).lines().map(String::strip).toList();
    List<String> lines = Files.readAllLines(EXAMPLE).stream().map(String::strip).toList();

    assertThat(shown).hasSizeGreaterThan(10);
    assertThat(lines).containsSequence(shown);
    assertThat(Files.size(HOME.resolve("docs/images/spots.gif"))).isLessThan(1_500_000);
  }
}
