/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands that docs/programs.md shows, and looks at their pictures. */
final class ProgramsPageCommandsSparkTest {
  private static final Pattern COMMAND = Pattern.compile("(?s)```sh\nbin/stencil (.*?)\n```");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void everyCommandDrawsItsPicture() throws IOException {
    Matcher commands = COMMAND.matcher(Files.readString(Path.of("..", "docs", "programs.md")));
    List<String> pictures = new ArrayList<>();
    while (commands.find()) {
      List<String> words = words(commands.group(1));
      CommandRun run = CommandRun.of(words);
      assertThat(run.exitCode()).as(run.err()).isZero();
      String picture = words.get(words.indexOf("--plot") + 1);
      assertThat(run.out()).contains(picture);
      pictures.add(Path.of(picture).getFileName().toString());
    }
    assertThat(pictures).containsExactly("heat.png", "spots.png", "smooth.png");

    BufferedImage heat = ImageIO.read(folder.resolve("heat.png").toFile());
    // 5 pixels for a cell: the spot is the lightest, the far corner the darkest
    assertThat(brightness(heat, 60 + 5 * 60, 60 + 5 * 40)).isGreaterThan(500);
    assertThat(brightness(heat, 60 + 5 * 185, 60 + 5 * 120)).isLessThan(160);
    BufferedImage spots = ImageIO.read(folder.resolve("spots.png").toFile());
    BufferedImage shown = ImageIO.read(Path.of("..", "docs", "images", "gray-scott.png").toFile());
    for (int y = 60; y < 660; y++) {
      for (int x = 60; x < 960; x++) {
        assertThat(spots.getRGB(x, y)).isEqualTo(shown.getRGB(x, y));
      }
    }
  }

  /** Returns the words of a command, with results in the test's folder. */
  private List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command.replace("\\\n", " "));
    while (word.find()) {
      String text = word.group(1) == null ? word.group(2) : word.group(1);
      words.add(
          text.startsWith("target/")
              ? folder.resolve(text.substring("target/".length())).toString()
              : text.startsWith("examples/") ? "../" + text : text);
    }
    return words;
  }

  private static int brightness(BufferedImage image, int x, int y) {
    int color = image.getRGB(x, y);
    return (color >> 16 & 0xff) + (color >> 8 & 0xff) + (color & 0xff);
  }
}
