/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.testkit.LiveFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.SparkException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Grids of which a quarter fits in the heap's share for them: the rest waits on disk. */
@Timeout(120)
final class GridOnDiskSparkTest {
  private static final WholeGrid WHOLE = WholeGrid.heat(2, ElementType.F64, Boundary.WRAP);

  /** A quarter of two fields of 40 x 30 doubles. */
  private static final int BYTES = 40 * 30 * 8 * 2 / 4;

  @TempDir static Path local;
  @TempDir Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.builder("local[2]")
            .config("spark.stencil.grid.heapBytes", Integer.toString(BYTES))
            .config("spark.local.dir", local.toString())
            .getOrCreate();
  }

  @AfterAll
  static void stop() throws IOException {
    spark.stop();
    assertThat(files()).isEmpty();
  }

  /**
   * Waits, as executors drop blocks in the background, and a task that was cancelled frees the one
   * that it works on when it ends.
   */
  @AfterEach
  @Timeout(60)
  void nothingIsLeft() throws Exception {
    BlockRegistry blocks = BlockRegistry.of(ExecutorRuntime.current());
    while (blocks.count() > 0 || !files().isEmpty() || !blocks.heap().take(BYTES / 3)) {
      Thread.sleep(20);
    }
    blocks.heap().give(BYTES / 3);
  }

  private static List<Path> files() throws IOException {
    return LiveFolder.files(local).stream()
        .filter(file -> file.getFileName().toString().startsWith("temp_local"))
        .toList();
  }

  private static GridBuilder builder() {
    return WHOLE.builder(spark).blocks(16);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, F32, reflect", "2, 3, F64, wrap", "3, 2, F32, wrap", "2, 8, F64, constant:1"})
  void theBitsAreThoseOfTheWholeGrid(int dimensions, int steps, ElementType type, String boundary)
      throws IOException {
    WholeGrid whole = WholeGrid.heat(dimensions, type, Boundary.parse(boundary));
    try (StencilGrid grid = whole.builder(spark).blocks(24).stepsPerExchange(steps).create()) {
      StencilGrid later = grid.step(5).step(16);

      assertThat(later.read("u")).isEqualTo(whole.after(21));
      assertThat(later.metrics().diskBytes()).isPositive();
      assertThat(later.explain()).contains(later.metrics().diskBytes() + " wait on disk");
      assertThat(files()).isNotEmpty();
      assertThat(BlockRegistry.of(ExecutorRuntime.current()).diskBytes()).isPositive();
    }
  }

  @Test
  void cellsThatDivergeAreFoundThere() {
    try (StencilGrid grid = builder().stepsPerExchange(2).largest(16.5).create()) {
      assertThat(grid.step(6).divergence()).isEmpty();
    }
    StencilProgram doubles = ProgramText.parse("u' = 2*u[0,0]");
    try (StencilGrid grid =
        StencilGrids.builder(spark, doubles)
            .extent(40, 60)
            .blocks(16)
            .field("u", at -> at[0] == 33 ? at[1] : 0)
            .largest(200)
            .create()) {
      assertThatThrownBy(() -> grid.step(2)).hasMessageContaining("the cell at [33, 51] is 204.0");
    }
  }

  @Test
  void someBlocksStayOnTheHeapAsFarAsThereIsRoom() {
    try (StencilGrid grid = builder().stepsPerExchange(1).create().step(4)) {
      assertThat(BlockRegistry.of(ExecutorRuntime.current()).heapBytes())
          .isBetween(1L, (long) BYTES);
      assertThat(grid.read("u")).isEqualTo(WHOLE.after(4));
    }
  }

  /** Copies for a checkpoint have the room while the blocks are loaded. */
  @Test
  void blocksLeaveTheirFilesWhenThereIsRoom() {
    BlockRegistry blocks = BlockRegistry.of(ExecutorRuntime.current());
    boolean taken = blocks.heap().takeCopy(BYTES);
    try (StencilGrid grid = builder().stepsPerExchange(1).create()) {
      assertThat(taken).isTrue();
      long waiting = grid.step(2).metrics().diskBytes();
      assertThat(blocks.heapBytes()).isZero();
      blocks.heap().giveCopy(BYTES);
      taken = false;

      StencilGrid after = grid.step(6);

      assertThat(after.read("u")).isEqualTo(WHOLE.after(6));
      assertThat(blocks.heapBytes()).isBetween(1L, (long) BYTES);
      assertThat(after.metrics().diskBytes()).isBetween(1L, waiting - 1);
    } finally {
      blocks.heap().giveCopy(taken ? BYTES : 0);
    }
  }

  @Test
  void aGridCutByItselfHasBlocksThatFit() {
    try (StencilGrid grid = WHOLE.builder(spark).create().step(30)) {
      assertThat(grid.executors()).hasSizeGreaterThan(16);
      assertThat(grid.read("u")).isEqualTo(WHOLE.after(30));
    }
  }

  /** The blocks have 2^29 cells each, and their faces as many bytes as no array has. */
  @Test
  void facesThatCannotTravelAreRefusedBeforeAnyWork() {
    GridBuilder wide =
        StencilGrids.builder(spark, ProgramText.parse("u' = u[-1,0,0] + u[1,0,0]"))
            .extent(4, 1 << 14, 1 << 14)
            .type(ElementType.F32)
            .blocksPerAxis(2, 1, 1);

    assertThatThrownBy(() -> wide.stepsPerExchange(2).create())
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("give each other faces of 2147483648 bytes with 2 steps per exchange")
        .hasMessageEndingWith("use more blocks, or at most 1 steps per exchange");
    try (StencilGrid chosen = wide.stepsPerExchange(OptionalInt.empty()).create()) {
      assertThat(chosen.stepsPerExchange()).isEqualTo(1);
    }
  }

  @Test
  void aGridThatNoDiskCanHoldIsRefusedBeforeAnyWork() {
    GridBuilder huge = WHOLE.builder(spark).extent(4_000_000, 4_000_000);

    assertThatThrownBy(huge::create)
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("a grid of [4000000, 4000000] cells has 256000.0 GB without room")
        .hasMessageContaining(local.toString());
  }

  @Test
  void changesAreMeasuredAndReceiversSample() {
    List<Receiver> receivers = List.of(new Receiver("u", new long[] {3, 4}, "here"));
    try (StencilGrid grid = builder().stepsPerExchange(2).receivers(receivers).create()) {
      StencilGrid.Until steady = grid.stepUntil("u", 0.05, 400, 4);

      long steps = WHOLE.stepsUntil(0.05, 4);
      assertThat(steady.grid().steps()).isEqualTo(steps);
      double[] all = (double[]) WHOLE.after(steps);
      double[] samples = steady.grid().samples().get("here");
      assertThat(samples).hasSize((int) steps);
      assertThat(samples[(int) steps - 1]).isEqualTo(all[3 * 30 + 4]);
    }
  }

  @Test
  void aCheckpointIsWrittenAndGoneOnFrom() {
    String kept = folder.resolve("kept").toString();
    try (StencilGrid grid = builder().stepsPerExchange(2).checkpoints(kept, 2).create().step(10)) {
      assertThat(grid.metrics().checkpoints()).isPositive();
    }
    try (StencilGrid grid =
        StencilGrids.builder(spark, WHOLE.program())
            .resume(kept)
            .parameter("a", WHOLE.coefficient())
            .blocks(9)
            .create()) {
      long more = 15 - grid.steps();
      assertThat(grid.step(more).read("u")).isEqualTo(WHOLE.after(15));
    }
  }

  /** Blocks are written by their tasks, which is no reason for more jobs where it is soon done. */
  @Test
  void aCheckpointTakesNoJobOfItsOwnForEachBlock() {
    String kept = folder.resolve("kept").toString();
    try (StencilGrid grid =
        WHOLE.builder(spark).blocks(32).stepsPerExchange(1).checkpoints(kept, 2).create()) {
      GridMetrics done = grid.step(8).metrics();

      assertThat(done.checkpoints()).isPositive();
      assertThat(done.jobs()).isLessThan(20);
    }
  }

  @Test
  void aFailedStepLeavesNothing() {
    Failing.at(7);
    GridParameters failing = (parameter, step) -> Failing.value(0.2, step);
    try (StencilGrid grid =
        WHOLE
            .bareBuilder(spark)
            .field("u", at -> WholeGrid.first("u", at))
            .parameters(failing)
            .blocks(16)
            .stepsPerExchange(2)
            .create()) {
      assertThatThrownBy(() -> grid.step(12))
          .isInstanceOf(SparkException.class)
          .hasStackTraceContaining(Failing.MESSAGE);
      Failing.nowhere();
      assertThat(grid.step(12).read("u")).isEqualTo(WHOLE.after(12));
    } finally {
      Failing.nowhere();
    }
  }

  @Test
  void aCancelledJobLeavesNothing() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (StencilGrid grid =
        builder().stepsPerExchange(1).listener(progress -> begun.countDown()).create()) {
      CancelledSteps.require(spark, grid, begun);
    }
  }
}
