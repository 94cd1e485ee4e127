/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands that docs/grids.md shows, in their order, and looks at what they write. */
final class GridsPageCommandsSparkTest {
  private static final Pattern COMMAND = Pattern.compile("(?s)```sh\nbin/stencil (.*?)\n```");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void everyCommandWritesItsFiles() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "grids.md"));
    Matcher commands = COMMAND.matcher(page);
    while (commands.find()) {
      if (commands.group(1).equals("solve --convergence")) {
        continue; // ConvergenceTest runs it
      }
      CommandRun run = CommandRun.of(words(commands.group(1)));
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).contains("engine  cpu", "written " + folder);
    }

    try (Stream<Path> written = Files.list(folder)) {
      assertThat(written.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "heat.png",
              "front.png",
              "spots.gif",
              "heard.csv",
              "wave.png",
              "tone.png",
              "warm.npy",
              "warm.json",
              "cold.zarr",
              "kept",
              "earlier.png",
              "later.png");
    }
    assertThat(Files.size(folder.resolve("spots.gif"))).isLessThan(1_500_000);
    assertThat(Files.readAllLines(folder.resolve("heard.csv"))).hasSize(1 + 150);
    JsonNode warm = new ObjectMapper().readTree(folder.resolve("warm.json").toFile());
    assertThat(warm.get("change").asDouble()).isLessThan(1e-4);
    assertThat(page)
        .as("the fields of the report are described")
        .contains(
            warm.properties().stream()
                .map(field -> "`" + field.getKey() + "`")
                .filter(
                    field -> !List.of("`output`", "`spark`", "`java`", "`version`").contains(field))
                .toList());
  }

  /** Returns the words of a command, with results in the test's folder. */
  private List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command.replace("\\\n", " "));
    while (word.find()) {
      String text = word.group(1) == null ? word.group(2) : word.group(1);
      words.add(
          text.replaceFirst("(^|=)target/", "$1" + Matcher.quoteReplacement(folder + "/"))
              .replaceFirst("^examples/", "../examples/"));
    }
    return words;
  }
}
