/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.cpu.program.CpuProgramProvider;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.grid.ExchangeCost.Room;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.Equations;
import io.sparkstencil.program.text.ProgramText;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Grids are cut so that blocks cover them once, with halos where the program reads. */
final class GridBlocksTest {
  private static final StencilProgram HEAT =
      ProgramText.parse("u' = u + 0.1*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)");
  private static final StepReach REACH = StepReach.of(HEAT);

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 2, 1", "4, 2, 2", "6, 3, 2", "12, 4, 3", "7, 7, 1", "37, 37, 1"})
  void cutsASquareIntoAsSquareBlocksAsTheNumberAllows(int count, int rows, int columns) {
    assertThat(GridBlocks.cut(List.of(4096L, 4096L), count, REACH).parts())
        .containsExactly(rows, columns);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 13, 37})
  void blocksCoverTheGridOnceAndAreFound(int count) {
    GridBlocks blocks = GridBlocks.cut(List.of(11L, 3L), count, REACH);
    int[][] covered = new int[11][3];
    for (int block = 0; block < blocks.count(); block++) {
      Box box = blocks.box(block);
      for (long y = box.start(0); y < box.end(0); y++) {
        for (long x = box.start(1); x < box.end(1); x++) {
          covered[(int) y][(int) x]++;
          assertThat(blocks.blockOf(List.of(y, x))).isEqualTo(block);
        }
      }
      assertThat(blocks.blocksOf(box)).containsExactly(block);
    }
    assertThat(covered)
        .isDeepEqualTo(
            new int[][] {
              {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1},
              {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}
            });
  }

  @Test
  void aHaloSpansNarrowBlocksAndEndsWithTheGrid() {
    GridBlocks blocks = GridBlocks.cut(List.of(10L, 10L), List.of(5, 1), REACH);
    ExtendedBlock middle = ExtendedBlock.of(blocks, REACH, 3, 2);

    assertThat(middle.extended()).isEqualTo(Box.between(List.of(1L, 0L), List.of(9L, 10L)));
    assertThat(middle.givers()).containsExactly(0, 1, 3, 4);
    assertThat(ExtendedBlock.of(blocks, REACH, 3, 0).extended())
        .isEqualTo(Box.between(List.of(0L, 0L), List.of(5L, 10L)));
  }

  @Test
  void aPeriodicHaloGoesAroundTheGrid() {
    StepReach periodic = StepReach.of(HEAT.withBoundary(Boundary.WRAP));
    GridBlocks blocks = GridBlocks.cut(List.of(4L, 8L), List.of(2, 1), periodic);
    ExtendedBlock first = ExtendedBlock.of(blocks, periodic, 5, 0);

    assertThat(first.extended()).isEqualTo(Box.between(List.of(-5L, 0L), List.of(7L, 8L)));
    assertThat(first.givers()).containsExactly(1);
    assertThat(first.partsOf(0)).hasSize(2);
    assertThat(first.indices(List.of(3L, 2L))).containsExactlyInAnyOrder(4 * 8 + 2, 8 * 8 + 2, 2);
  }

  @Test
  void tapsOfSeveralStagesAddUp() {
    StencilProgram staged = ProgramText.parse("v' = u[-3]; u' = v'[3]");

    assertThat(StepReach.of(staged).low()).containsExactly(6);
    assertThat(StepReach.of(staged.withBoundary(Boundary.WRAP)).low()).containsExactly(3);
  }

  @Test
  void anAxisAlongWhichOnlySomeFieldsWrapIsNotCut() {
    StencilProgram mixed =
        ProgramText.parse("u' = u[-1,0] + v[1,0]")
            .withBoundary(
                "v",
                new FieldBoundary(
                    List.of(Boundary.WRAP, Boundary.NEAREST),
                    List.of(Boundary.WRAP, Boundary.NEAREST)));
    StepReach reach = StepReach.of(mixed);

    assertThat(GridBlocks.cut(List.of(64L, 64L), 4, reach).parts()).containsExactly(1, 4);
    assertThatThrownBy(() -> GridBlocks.cut(List.of(64L, 64L), List.of(2, 2), reach))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("some fields wrap")
        .hasMessageContaining("use one block along this axis");
  }

  @Test
  void refusesMoreBlocksThanCells() {
    assertThatThrownBy(() -> GridBlocks.cut(List.of(3L, 8L), List.of(4, 1), REACH))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("4 blocks along axis 0, which has 3 cells");
  }

  private static ExchangeCost cost(Exchange exchange) {
    return new ExchangeCost(exchange, 1e-9, 0, 1);
  }

  private static ExchangeCost ofCores(StencilProgram program, ElementType type) {
    ProgramWork work = ProgramWork.of(ProgramTraits.of(program));
    return ExchangeCost.ofCores(
        Exchange.ON_HEAP,
        steps ->
            new CpuProgramProvider().estimate(work.of(type, Extent.of(1), steps, 1)).stepSeconds());
  }

  @Test
  void longLinesAreCutWhereBlocksWouldBeTooLong() {
    StepReach line = StepReach.of(Equations.heat(1, 2, 1, 1, 0.1));
    assertThat(GridBlocks.cut(List.of(1L << 33), 32, line).blockSizes()).containsExactly(1 << 28);
    assertThatThrownBy(() -> GridBlocks.cut(List.of(1L << 33), 1, line))
        .hasMessageContaining("use more blocks");
  }

  @Test
  void ofBlocksInTurnsOnlySomeFacesLeaveTheSlot() {
    Exchange far = new Exchange(8, 80, 1);
    Exchange near = new Exchange(0, 40, 4);

    GridBlocks blocks = GridBlocks.cut(List.of(1024L, 1024L), List.of(4, 1), REACH);
    double alone = cost(far).expected(blocks, REACH, 1, 1, ElementType.F32).exchangeSeconds();
    double together = cost(near).expected(blocks, REACH, 1, 1, ElementType.F32).exchangeSeconds();

    assertThat(
            cost(far)
                .inTurns(0.25, near, 4)
                .expected(blocks, REACH, 1, 1, ElementType.F32)
                .exchangeSeconds())
        .isCloseTo(0.25 * alone + 0.75 * together, within(1e-6));
    assertThat(ExchangeCost.fewest(List.of(1L << 20, 1L << 12))).isEqualTo(16);
  }

  @Test
  void exchangesThatOverlapAreHiddenBehindTheStepsOfOtherBlocks() {
    GridBlocks blocks = GridBlocks.cut(List.of(1L << 12, 1L << 12), List.of(8, 8), REACH);
    Exchange quick = new Exchange(1e-3, 0, 1e9, true);
    Exchange slow = new Exchange(10, 0, 1e9, true);

    ExchangeCost.Expected hidden =
        cost(quick)
            .inTurns(0.25, Exchange.ON_GPU, 4)
            .expected(blocks, REACH, 8, 1, ElementType.F32);
    assertThat(hidden.seconds()).isLessThan(hidden.exchangeSeconds() + hidden.stepSeconds());
    assertThat(hidden.seconds()).isGreaterThan(hidden.stepSeconds());
    Exchange even = new Exchange(hidden.stepSeconds() * 8 / 0.25, 0, 1e18, true);
    ExchangeCost.Expected first =
        cost(even).inTurns(0.25, Exchange.ON_GPU, 4).expected(blocks, REACH, 8, 1, ElementType.F32);
    assertThat(first.seconds())
        .as("the first of four blocks steps before faces can leave")
        .isCloseTo(1.25 * first.stepSeconds(), within(0.05 * first.stepSeconds()));
    ExchangeCost.Expected late =
        cost(slow).inTurns(0.25, Exchange.ON_GPU, 4).expected(blocks, REACH, 8, 1, ElementType.F32);
    assertThat(late.seconds()).isCloseTo(2.5 / 8, within(0.01));
    assertThat(late.exchangeSeconds() - 2.5 / 8)
        .as("faces that leave are packed in the slot, as those that stay are copied")
        .isCloseTo(
            cost(Exchange.ON_GPU).expected(blocks, REACH, 8, 1, ElementType.F32).exchangeSeconds(),
            within(1e-4));
    ExchangeCost.Expected alone = cost(quick).expected(blocks, REACH, 8, 1, ElementType.F32);
    assertThat(alone.hiddenSeconds()).as("a slot with one block waits").isZero();
  }

  @Test
  void gpusWaitForTheSlowestOfThem() {
    GridBlocks blocks = GridBlocks.cut(List.of(1L << 12, 1L << 12), List.of(8, 8), REACH);
    double[] seconds =
        IntStream.of(1, 2, 4, 64)
            .mapToDouble(
                slots ->
                    cost(Exchange.ON_GPU)
                        .among(slots)
                        .expected(blocks, REACH, 8, 1, ElementType.F32)
                        .stepSeconds())
            .toArray();
    assertThat(seconds[1] / seconds[0]).isBetween(1.01, 1.03);
    assertThat(seconds[2] / seconds[0]).isBetween(1.03, 1.06);
    assertThat(seconds[3] / seconds[0]).as("it does not grow without end").isBetween(1.06, 1.1);
  }

  @Test
  void nearerExchangesAreFaster() {
    GridBlocks blocks = GridBlocks.cut(List.of(1L << 13, 1L << 13), 2, REACH);
    double[] seconds =
        Stream.of(
                Exchange.ON_GPU,
                Exchange.BETWEEN_GPUS,
                Exchange.SHARED,
                Exchange.OF_GPUS_PUSHED,
                Exchange.PUSHED,
                Exchange.BY_LOG)
            .map(each -> cost(each).expected(blocks, REACH, 8, 1, ElementType.F32))
            .mapToDouble(ExchangeCost.Expected::exchangeSeconds)
            .toArray();
    assertThat(seconds).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void smallGridsStayInOneBlockAndLargeOnesTakeAllSlots() {
    ExchangeCost cost = cost(Exchange.BY_LOG);

    assertThat(cost.blocks(List.of(64L, 64L), REACH, 16, 1, ElementType.F32).count()).isEqualTo(1);
    assertThat(cost.blocks(List.of(16384L, 16384L), REACH, 16, 1, ElementType.F32).count())
        .isEqualTo(16);
  }

  @Test
  void cheapExchangesAreMoreFrequent() {
    GridBlocks blocks = GridBlocks.cut(List.of(1024L, 1024L), 4, REACH);
    int dear = cost(Exchange.BY_LOG).steps(blocks, REACH, 1, ElementType.F32);
    int cheap = cost(Exchange.ON_HEAP).steps(blocks, REACH, 1, ElementType.F32);

    assertThat(dear).isGreaterThan(2 * cheap);
    assertThat(cheap).isGreaterThan(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 16777216", "2, 4096", "3, 256", "1, 1000000"})
  void takesTheFewestStepsThatAreAboutAsFastAsAny(int dimensions, long size) {
    StencilProgram program = Equations.heat(dimensions, 2, 1, 1, 0.1);
    StepReach reach = StepReach.of(program);
    ExchangeCost cost = ofCores(program, ElementType.F64);
    GridBlocks blocks = GridBlocks.cut(Collections.nCopies(dimensions, size), 4, reach);

    int steps = cost.steps(blocks, reach, 1, ElementType.F64);
    double[] seconds =
        IntStream.rangeClosed(1, 2000)
            .mapToDouble(each -> cost.expected(blocks, reach, each, 1, ElementType.F64).seconds())
            .toArray();
    double least = Arrays.stream(seconds).min().orElseThrow();
    assertThat(seconds[steps - 1]).isLessThan(1.03 * least);
    assertThat(seconds[steps * 3 / 4 - 1]).isGreaterThan(1.015 * least);
  }

  @Test
  void coresTakeSeveralStepsWhileCellsAreInTheirCaches() {
    GridBlocks flat = GridBlocks.cut(List.of(4096L, 4096L), 4, REACH);
    ExchangeCost moving = ofCores(HEAT, ElementType.F32);
    ExchangeCost still = new ExchangeCost(Exchange.ON_HEAP, moving.cellStepSeconds(), 0, 1);

    int few = still.steps(flat, REACH, 1, ElementType.F32);
    assertThat(moving.steps(flat, REACH, 1, ElementType.F32)).isBetween(2 * few, 64);
    assertThat(moving.expected(flat, REACH, 1, 1, ElementType.F32).stepSeconds())
        .isGreaterThan(2 * moving.expected(flat, REACH, 30, 1, ElementType.F32).stepSeconds());
  }

  @Test
  void blocksOnDiskTakeMoreStepsUntilTheDiskIsHidden() {
    GridBlocks blocks = GridBlocks.cut(List.of(16_384L, 16_384L), 64, REACH);
    ExchangeCost inMemory = ofCores(HEAT, ElementType.F64);
    ExchangeCost onDisk = inMemory.onDisk(1, 2 * Double.BYTES);

    int few = inMemory.steps(blocks, REACH, 1, ElementType.F64);
    int many = onDisk.steps(blocks, REACH, 1, ElementType.F64);
    assertThat(many).isGreaterThan(2 * few);
    assertThat(inMemory.onDisk(0.25, 2 * Double.BYTES).steps(blocks, REACH, 1, ElementType.F64))
        .isStrictlyBetween(few, many);
    assertThat(onDisk.expected(blocks, REACH, many, 1, ElementType.F64).stepSeconds())
        .isLessThan(2 * inMemory.expected(blocks, REACH, few, 1, ElementType.F64).stepSeconds());
  }

  @Test
  void aGridLargerThanTheMemoryIsCutIntoBlocksForAllSlots() {
    List<Long> sizes = List.of(20_000L, 20_000L);
    ExchangeCost cost = ofCores(HEAT, ElementType.F64).ofAtMost(4e6);

    GridBlocks blocks = cost.blocks(sizes, REACH, 3, 1, ElementType.F64);

    assertThat(blocks.count()).isBetween(100, 130);
    assertThat(blocks.parts(0)).as("not in long ones").isBetween(5, 25);
    int steps = cost.steps(blocks, REACH, 1, ElementType.F64);
    assertThat(ExtendedBlock.of(blocks, REACH, steps, blocks.count() / 2).extended().cells())
        .isLessThanOrEqualTo(8_000_000);
  }

  @Test
  void kernelsOfSeveralStepsAreUsedWhole() {
    ExchangeCost cost = new ExchangeCost(Exchange.ON_GPU, 1e-12, 0, 14);
    GridBlocks large = GridBlocks.cut(List.of(32_768L, 32_768L), 4, REACH);
    GridBlocks small = GridBlocks.cut(List.of(2048L, 2048L), 4, REACH);

    int few = cost.steps(large, REACH, 1, ElementType.F32);
    int many = cost.steps(small, REACH, 1, ElementType.F32);
    assertThat(few % 14).isZero();
    assertThat(many % 14).isZero();
    assertThat(many).isGreaterThan(few);
    assertThat(cost.expected(large, REACH, 15, 1, ElementType.F32).stepSeconds())
        .isGreaterThan(1.8 * cost.expected(large, REACH, 14, 1, ElementType.F32).stepSeconds());
  }

  @Test
  void programsOnGpusTakeTheTimeOfMemoryOrOfOperations() {
    StencilProgram light = ProgramText.parse("u' = u[-1,0] + u[1,0]");
    StencilProgram heavy = ProgramText.parse("u' = u[0,0] - 0.01*laplacian(u, 8)");

    assertThat(gpu(light, ElementType.F32, 1)).isEqualTo(8 / 2.5e12);
    assertThat(gpu(light, ElementType.F32, 4)).isEqualTo(2 / 2.5e12);
    assertThat(gpu(heavy, ElementType.F64, 8)).isEqualTo(2 * gpu(heavy, ElementType.F32, 8));
    assertThat(gpu(heavy, ElementType.F64, 8)).isGreaterThan(2 / 2.5e12);
  }

  @Test
  void stepsAreManyWhereBlocksWaitElsewhere() {
    GridBlocks blocks = GridBlocks.cut(List.of(65_536L, 65_536L), 16, REACH);
    ExchangeCost staying = ExchangeCost.ofGpus(HEAT, ElementType.F32, Exchange.ON_GPU, 14);
    Room quarter = new Room(65_536L * 65_536 / 64, 8 / 30e9);
    ExchangeCost waiting = staying.withRoom(quarter);
    int few = staying.steps(blocks, REACH, 1, ElementType.F32);
    int many = waiting.steps(blocks, REACH, 1, ElementType.F32);
    assertThat(many).isGreaterThan(5 * few).isLessThan(16_384 / 4);
    assertThat(
            staying
                .withRoom(new Room(1.2 * 65_536 * 65_536 / 16, 8 / 30e9))
                .steps(blocks, REACH, 1, ElementType.F32))
        .as("there is room for the blocks, but not for large halos")
        .isBetween(few / 2, 4 * few);
    // most of the time is that of the steps
    assertThat(waiting.expected(blocks, REACH, many, 1, ElementType.F32).stepSeconds())
        .isLessThan(2.5 * staying.expected(blocks, REACH, few, 1, ElementType.F32).stepSeconds());
  }

  private static double gpu(StencilProgram program, ElementType type, int stepsAtOnce) {
    return ExchangeCost.ofGpus(program, type, Exchange.ON_GPU, stepsAtOnce).cellStepSeconds();
  }
}
