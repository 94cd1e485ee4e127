/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs every block of the guides, and compares what it prints with what the guide shows. If they
 * differ, the guide as it would be lies in {@code target/guides}.
 */
final class GuidesSparkTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home")).toAbsolutePath();
  private static final Path DOCS = HOME.resolve("docs");

  /** Languages of blocks that are not ours: of other tools, which a migration starts from. */
  private static final Set<String> FOREIGN = Set.of("python");

  private static final int PAGE_LINES = 62;

  private static final Pattern PICTURE = Pattern.compile("\\(images/quickstart-(\\w+\\.png)\\)");

  /** Titles and numbers around a plot look otherwise where fonts do. */
  private static final int MARGIN = 100;

  @TempDir private static Path folder;

  private static GuideMachine machine;

  @BeforeAll
  static void start() throws IOException {
    List<GuidePage> pages = new ArrayList<>();
    for (String name : List.of("quickstart-sql.md", "quickstart-operations.md")) {
      pages.add(GuidePage.read(DOCS, name));
    }
    machine = new GuideMachine(HOME, folder, GuideMachine.settingsOf(pages));
    machine.spark();
  }

  @AfterAll
  static void stop() {
    machine.spark().stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quickstart-sql.md",
        "quickstart-gpu.md",
        "quickstart-grid.md",
        "quickstart-operations.md",
        "guide-sensors.md",
        "guide-room.md",
        "guide-elevation.md",
        "guide-sea.md",
        "guide-model.md",
        "rasters.md",
        "migration.md"
      })
  void everyBlockPrintsWhatItsGuideShows(String name) throws Exception {
    GuidePage page = GuidePage.read(DOCS, name);
    boolean gpu = !CudaDriver.get().devices().isEmpty();
    SparkSession session = machine.spark().newSession();
    List<String> outputs = new ArrayList<>();
    List<Integer> different = new ArrayList<>();
    String printed = "";
    int ran = 0;
    for (GuidePage.Block block : page.blocks()) {
      if (block.isOutput()) {
        boolean same = (gpu && block.isWithoutGpu()) || ShownOutput.matches(block.text(), printed);
        outputs.add(same ? block.text() : printed);
        if (!same) {
          different.add(outputs.size());
        }
      } else if (!FOREIGN.contains(block.language())) {
        if (session.sparkContext().isStopped()) { // by a program of the guide
          session = machine.spark().newSession();
        }
        printed = machine.run(block, session);
        ran++;
      }
    }
    Path asItWouldBe = HOME.resolve("jobs/target/guides").resolve(name);
    if (!different.isEmpty()) {
      Files.createDirectories(asItWouldBe.getParent());
      Files.writeString(asItWouldBe, page.withOutputs(outputs));
    }
    samePictures(page);
    assertThat(different).as("outputs that differ, counted from 1; see %s", asItWouldBe).isEmpty();
    GuidePeers.compare(HOME, name, folder, session);
    assertThat(ran).isGreaterThanOrEqualTo(4);
    if (name.startsWith("quickstart-")) {
      assertThat(page.text().lines().count()).as("two pages").isLessThanOrEqualTo(2 * PAGE_LINES);
    }
  }

  /** The guide's proof of equal bits must fail where bits differ. */
  @Test
  void theComparisonOfBitsSeesTheLastBit() throws IOException {
    String page = GuidePage.read(DOCS, "quickstart-sql.md").text();
    Matcher comparison =
        Pattern.compile("WHERE (\\S*smooth\\.month.*ours\\.month\\S*);").matcher(page);
    assertThat(comparison.find()).isTrue();
    List<Double> values =
        List.of(21.9, Math.nextUp(21.9), 0.0, -0.0, 21.0, 1e300, Math.nextDown(1e300));
    SparkSession session = machine.spark();
    session.createDataset(values, Encoders.DOUBLE()).toDF("month").createOrReplaceTempView("bits");

    long equal =
        session
            .sql(
                "SELECT * FROM bits AS smooth CROSS JOIN bits AS ours WHERE " + comparison.group(1))
            .count();

    assertThat(equal).as("each value equals itself alone").isEqualTo(values.size());
  }

  /** Compares what a guide has drawn with the pictures that it shows. */
  private static void samePictures(GuidePage page) throws IOException {
    Matcher name = PICTURE.matcher(page.text());
    while (name.find()) {
      BufferedImage drawn = ImageIO.read(folder.resolve(name.group(1)).toFile());
      Path file = DOCS.resolve("images").resolve("quickstart-" + name.group(1));
      BufferedImage shown = ImageIO.read(file.toFile());
      for (int y = MARGIN; y < shown.getHeight() - MARGIN; y++) {
        for (int x = MARGIN; x < shown.getWidth() / 2; x++) {
          assertThat(drawn.getRGB(x, y))
              .as("%s at %d, %d", file, x, y)
              .isEqualTo(shown.getRGB(x, y));
        }
      }
    }
  }
}
