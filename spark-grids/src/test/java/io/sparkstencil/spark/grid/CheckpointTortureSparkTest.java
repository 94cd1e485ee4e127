/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.files.HarshFileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs that are killed in the middle, write to full disks, meet other runs in their folder, and
 * whose files are changed in all ways. Whatever happens, a run that goes on has the cells of an
 * undisturbed one, or is refused with the name of a file. {@code build/torture.sh} runs more
 * rounds.
 */
@WithSpark
final class CheckpointTortureSparkTest {
  private static final int ROUNDS = Integer.getInteger("stencil.test.torture.rounds", 12);
  private static final long SEED = Long.getLong("stencil.test.torture.seed", 48);

  /** A folder on a disk that is soon full, for the long run; empty for none. */
  private static final String SMALL = System.getProperty("stencil.test.torture.small", "");

  private static final int LAST = 17;

  private static SparkSession spark;
  @TempDir Path folder;

  private final WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
  private final Map<String, Integer> outcomes = new TreeMap<>();
  private Object cellsOfOther;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    hadoop.set("fs.harsh.impl", HarshFileSystem.class.getName());
    hadoop.set("fs.s3a.impl", HarshFileSystem.class.getName());
  }

  @AfterEach
  void revive() {
    HarshFileSystem.revive();
  }

  @Test
  void noWrongCellIsAcceptedAndEveryRefusalNamesAFile() {
    try (StencilGrid grid = other(builder()).create().step(LAST)) {
      cellsOfOther = grid.read("u");
    }
    for (int round = 0; round < ROUNDS; round++) {
      new Round(round).run();
    }

    System.out.printf("%d rounds of torture: %s%n", ROUNDS, outcomes);
    assertThat(outcomes.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(ROUNDS);
    assertThat(outcomes.keySet()).contains("accepted", "refused");
  }

  private GridBuilder builder() {
    return whole.bareBuilder(spark).blocks(4).stepsPerExchange(2);
  }

  private GridBuilder first(GridBuilder builder) {
    return builder.field("u", at -> WholeGrid.first("u", at)).parameter("a", whole.coefficient());
  }

  /** The same program with other cells: a mixture of both is neither's. */
  private GridBuilder other(GridBuilder builder) {
    return builder
        .field("u", at -> 100 - WholeGrid.first("u", at))
        .parameter("a", whole.coefficient());
  }

  /** A folder, what happens to it, and a run that goes on from there. */
  private final class Round {
    private final int number;
    private final Random random;
    private final Path kept;
    private final String path;
    private final List<String> story = new ArrayList<>();
    private boolean hasOne; // a complete checkpoint, before there was any trouble
    private boolean mayBeRefused;

    Round(int number) {
      this.number = number;
      random = new Random(SEED + 7919L * number);
      List<String> places = new ArrayList<>(List.of("", "harsh://", "s3a://"));
      boolean small = !SMALL.isEmpty() && random.nextInt(4) == 0;
      kept = (small ? Path.of(SMALL) : folder).resolve("kept" + number);
      path = small ? kept.toString() : places.get(random.nextInt(places.size())) + kept;
      mayBeRefused = small; // it may be full for the run that goes on, too
      story.add(path);
    }

    void run() {
      write();
      damage();
      String outcome = goOn();
      outcomes.merge(outcome, 1, Integer::sum);
      delete();
    }

    private void write() {
      boolean alone = random.nextInt(3) > 0;
      try (StencilGrid grid = first(builder()).checkpoints(path, 1 + random.nextInt(2)).create()) {
        StencilGrid later = grid.step(4);
        hasOne = later.metrics().checkpoints() > 0;
        if (alone) {
          trouble();
        } else {
          meetAnother();
        }
        later.step(2 + random.nextInt(10));
      } catch (Exception e) { // of a task, Spark declares none
        story.add("first run: " + e.getMessage());
      }
      HarshFileSystem.revive();
    }

    private void trouble() {
      switch (random.nextInt(3)) {
        case 0 -> {
          int changes = random.nextInt(150);
          story.add("killed after %d changes".formatted(changes));
          HarshFileSystem.killAfter(changes);
        }
        case 1 -> {
          int bytes = random.nextInt(40_000);
          story.add("full after %d bytes".formatted(bytes));
          HarshFileSystem.fillAfter(bytes);
        }
        default -> story.add("undisturbed");
      }
    }

    /** Another run in the same folder is refused, or takes it over. */
    private void meetAnother() {
      boolean takes = random.nextBoolean();
      story.add(takes ? "taken over" : "visited");
      GridBuilder builder = other(builder()).checkpoints(path, 1).overwriteCheckpoints();
      if (takes) {
        mayBeRefused = true;
        builder.takeOverCheckpoints();
      }
      try (StencilGrid grid = builder.create()) {
        assertThat(takes).as("%s: two runs have one folder", story).isTrue();
        grid.step(2 + random.nextInt(6));
      } catch (Exception e) { // of a task, Spark declares none
        story.add("second run: " + e.getMessage());
        assertThat(e).hasMessageContaining(kept.toString());
      }
    }

    private void damage() {
      for (int times = random.nextInt(3); times > 0 && Files.exists(kept); times--) {
        String done = CheckpointDamage.some(kept, random);
        if (!done.isEmpty()) {
          mayBeRefused = true;
          story.add(done);
        }
      }
    }

    private String goOn() {
      GridBuilder builder =
          whole.bareBuilder(spark).parameter("a", whole.coefficient()).resume(path);
      if (random.nextBoolean()) {
        builder.checkpoints(path, 1).takeOverCheckpoints();
      }
      try (StencilGrid grid = builder.create();
          StencilGrid last = grid.step(LAST - grid.steps())) {
        Object cells = last.read("u");
        boolean right = equal(cells, whole.after(LAST)) || equal(cells, cellsOfOther);
        assertThat(right).as("round %d has wrong cells: %s", number, story).isTrue();
        return "accepted";
      } catch (Exception e) { // of a task, Spark declares none
        assertThat(mayBeRefused || !hasOne)
            .as("round %d is refused for nothing, %s: %s", number, story, e)
            .isTrue();
        boolean nothing = e.getMessage().matches("(?s).*(no complete checkpoint|has neither).*");
        assertThat(e)
            .as("round %d: %s", number, story)
            .hasMessageContaining(nothing ? kept.toString() : kept + "/");
        return nothing ? "nothing was complete" : "refused";
      }
    }

    private static boolean equal(Object cells, Object expected) {
      return Arrays.equals((float[]) cells, (float[]) expected);
    }

    private void delete() {
      FileUtil.fullyDelete(kept.toFile());
    }
  }
}
