/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Level;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Use;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.programs.ProgramCase;
import io.sparkstencil.testkit.programs.RandomPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What streams of planes keep, read and launch. */
class PlanePlanTest {
  private static final String SEVEN =
      "u' = 0.1*u[-1,0,0] + 0.1*u[0,-1,0] + 0.1*u[0,0,-1] + 0.2*u + 0.1*u[0,0,1] + 0.1*u[0,1,0]"
          + " + 0.3*u[1,0,0]";
  private static final PlaneShape SHAPE = new PlaneShape(4, 2, 5, 8, 2, false);
  private static final FusedKernel.Layout LAYOUT =
      new FusedKernel.Layout(List.of(300, 500, 700), 704);
  private static final FusedKernel.Layout LARGE =
      new FusedKernel.Layout(List.of(512, 1024, 1024), 1024);

  private static ProgramTraits fused(String text) {
    return ProgramTraits.of(ProgramText.parse(text).withAccuracy(Accuracy.FMA));
  }

  private static List<StencilProgram> randomPrograms() {
    RandomPrograms programs = new RandomPrograms(7);
    List<StencilProgram> solid = new ArrayList<>();
    while (solid.size() < 40) {
      ProgramCase random = programs.nextCase();
      if (random.program().dimensions() == 3) {
        solid.add(random.program());
      }
    }
    return solid;
  }

  @Test
  void sevenPointsKeepAPlaneAndTheSumsOfAnother() {
    StageTimes times = new PlanePlan(fused(SEVEN), 1).levels().get(0).times();
    List<Integer> when = times.operations().stream().map(times::time).toList();
    // all but the cell after the last one are added behind the barrier of their own plane
    assertThat(when.subList(1, 6)).containsOnly(1);
    assertThat(when.get(6)).isEqualTo(2);
  }

  @Test
  void nothingIsReadBeforeItIsThere() {
    for (StencilProgram program : randomPrograms()) {
      for (int steps = 1; steps <= 3; steps++) {
        PlanePlan plan = new PlanePlan(ProgramTraits.of(program), steps);
        for (Use use : plan.uses()) {
          int waited = 2 * use.age() + use.phase();
          assertThat(waited).isGreaterThanOrEqualTo(use.offset(1) == 0 ? 0 : 1);
        }
        plan.levels().forEach(level -> operandsComeFirst(program, plan, level));
      }
    }
  }

  private static void operandsComeFirst(StencilProgram source, PlanePlan plan, Level level) {
    StageTimes times = level.times();
    for (int operation : times.operations()) {
      for (int input : plan.program().nodes().get(operation).inputs()) {
        if (plan.program().nodes().get(input) instanceof Node.Apply && times.isMoving(input)) {
          assertThat(times.time(input))
              .as(source.toString())
              .isLessThanOrEqualTo(times.time(operation));
          assertThat(times.lastUse(input)).isGreaterThanOrEqualTo(times.time(operation));
        }
      }
    }
  }

  @Test
  void ringsHoldEveryPlaneThatIsRead() {
    for (StencilProgram program : randomPrograms()) {
      PlanePlan plan = new PlanePlan(ProgramTraits.of(program), 2);
      for (boolean rereads : new boolean[] {false, true}) {
        PlaneShape shape = new PlaneShape(2, 4, 2, 8, 2, rereads);
        PlaneMemory memory = new PlaneMemory(plan, shape, ElementType.F32);
        for (Use use : plan.uses()) {
          PlaneMemory.Ring ring = memory.rings().get(use.source().field());
          if (use.source().isInput() && (!ring.held() || use.offset(1) != 0)) {
            assertThat(use.age()).isBetween(ring.first(), ring.last());
            // rows of others are there behind a barrier only
            boolean isNew = use.age() == ring.first() && use.phase() == 0;
            assertThat(use.offset(1) == 0 || !isNew).isTrue();
            assertThat(ring.depth() - shape.ahead())
                .isGreaterThanOrEqualTo(use.age() + use.phase() - ring.first());
          } else if (!use.source().isInput() && use.offset(1) != 0) {
            assertThat(memory.edgeSlots()).isGreaterThan(use.age() + use.phase());
          }
        }
      }
    }
  }

  @Test
  void aRenamedFieldIsNotWritten() {
    ProgramTraits wave = fused("u' = 2*u - p + 0.1*laplacian(u); p' = u[0,0,0]");
    PlaneShape shape = new PlaneShape(1, 4, 2, 8, 2, false);
    assertThat(stream(wave, ElementType.F32, shape).outputs()).containsExactly(0);
    PlaneShape twice = new PlaneShape(2, 4, 2, 8, 2, false);
    assertThat(stream(wave, ElementType.F32, twice).outputs()).containsExactly(0, 1);
  }

  private static PlaneStream stream(ProgramTraits traits, ElementType type, PlaneShape shape) {
    HeldEnds ends = HeldEnds.of(traits.program().boundaries(), List.of(64, 64, 64), 4);
    return new PlaneStream(new PlaneTile(new PlanePlan(traits, shape.steps()), shape, type, ends));
  }

  /** Blocks that start further on than the last tile may are moved back to it. */
  @Test
  void tilesAndPlanesOfALaunchCoverTheResults() {
    PlaneStream kernel =
        stream(fused(SEVEN), ElementType.F64, new PlaneShape(3, 2, 4, 8, 2, false));
    assertThat(kernel.tile().ends().any()).isTrue();
    FusedKernel.Span span = kernel.results(LAYOUT).orElseThrow();
    for (int resident : new int[] {1, 7, 132, 264}) {
      FusedKernel.Launch launch = kernel.launch(LAYOUT, span, resident);
      int across = launch.numbers().get(8);
      int planes = launch.numbers().get(9);
      int columns = span.high().get(2) - span.low().get(2);
      int rows = span.high().get(1) - span.low().get(1);
      PlaneMargins margins = kernel.tile().margins();
      assertThat(across * kernel.tile().validColumns() + margins.left() + margins.right())
          .isGreaterThanOrEqualTo(columns);
      assertThat(
              launch.blocks() / across * kernel.tile().validRows()
                  + margins.above()
                  + margins.below())
          .isGreaterThanOrEqualTo(rows);
      assertThat(launch.blocks() % across).isZero();
      assertThat(launch.blocksY() * planes)
          .isGreaterThanOrEqualTo(span.high().get(0) - span.low().get(0));
    }
  }

  /** Of five rows, the first and the last one need a row of another warp. */
  @Test
  void warpsHaveAllForTheRowsBetween() {
    PlaneTile tile = stream(fused(SEVEN), ElementType.F64, SHAPE).tile();
    Level level = tile.plan().levels().get(1);
    assertThat(IntStream.range(0, 5).filter(row -> tile.hasAllFor(level, row)))
        .containsExactly(1, 2, 3);
    assertThat(tile.hasRowsOfItsOwn()).isTrue();
    PlaneShape two = new PlaneShape(4, 2, 2, 8, 2, false);
    assertThat(stream(fused(SEVEN), ElementType.F64, two).tile().hasRowsOfItsOwn()).isFalse();
  }

  @Test
  void warpsThatComputeWhileOthersArriveHaveABarrierInSharedMemory() {
    PlaneStream waits = stream(fused(SEVEN), ElementType.F64, SHAPE);
    PlaneStream overlaps = stream(fused(SEVEN), ElementType.F64, SHAPE.overlapping());
    assertThat(waits.generate().ptx()).contains(".target sm_80").doesNotContain("mbarrier");
    assertThat(overlaps.generate().ptx()).contains(".target sm_90").contains("mbarrier.arrive");
    assertThat(overlaps.generate().dynamicSharedBytes())
        .isEqualTo(overlaps.tile().memory().barrier() + 16);
  }

  /** Devices before Hopper can ask whether others have arrived, but have no way to wait for it. */
  @Test
  void onlyFusedStepsOverlapAndOnlyWhereDevicesCan() {
    DeviceTraits ampere = new DeviceTraits(PtxTarget.AMPERE.architecture(), 166_912);
    ProgramTraits exact = ProgramTraits.of(ProgramText.parse(SEVEN));
    assertThat(overlapping(fused(SEVEN), DeviceTraits.H200)).isPositive();
    assertThat(overlapping(fused(SEVEN), ampere)).isZero();
    assertThat(overlapping(exact, DeviceTraits.H200)).isZero();
  }

  /** Where shared memory has no room for another plane ahead, warps wait as soon as they arrive. */
  @Test
  void shapesThatHaveNoRoomToOverlapAreNotLost() {
    DeviceTraits small = new DeviceTraits(PtxTarget.HOPPER.architecture(), 101_376);
    assertThat(shapes(fused(SEVEN), small)).contains(new PlaneShape(2, 2, 5, 8, 2, false));
    ProgramTraits wave = fused("u' = 2*u - p + c[0,0,0]*laplacian(u); p' = u");
    assertThat(shapes(wave, DeviceTraits.H200)).contains(new PlaneShape(2, 2, 5, 8, 2, true));
  }

  private static List<PlaneShape> shapes(ProgramTraits traits, DeviceTraits device) {
    return PlaneStreams.fastestFirst(traits, ElementType.F64, LARGE, device).stream()
        .map(PlaneStream::shape)
        .toList();
  }

  private static long overlapping(ProgramTraits traits, DeviceTraits device) {
    return shapes(traits, device).stream().filter(PlaneShape::overlaps).count();
  }

  @Test
  void thereAreNoneForDevicesThatCannotCopyAhead() {
    DeviceTraits volta = new DeviceTraits(PtxTarget.VOLTA.architecture(), 98_304);
    assertThat(PlaneStreams.fastestFirst(fused(SEVEN), ElementType.F32, LAYOUT, volta)).isEmpty();
  }

  /** The schedules that were measured to be the fastest, see {@link PlaneStreams}. */
  @Test
  void theFastestAreChosen() {
    assertThat(first(fused(SEVEN), ElementType.F32))
        .isEqualTo(new PlaneShape(5, 4, 4, 8, 2, false));
    assertThat(first(fused(SEVEN), ElementType.F64))
        .isEqualTo(new PlaneShape(4, 2, 5, 8, 2, false).overlapping());
    ProgramTraits box = fused("u' = " + box());
    assertThat(first(box, ElementType.F32)).isEqualTo(new PlaneShape(2, 4, 4, 4, 2, false));
    assertThat(first(box, ElementType.F64))
        .isEqualTo(new PlaneShape(2, 2, 4, 8, 2, false).overlapping());
    ProgramTraits wave = fused("u' = 2*u - p + c[0,0,0]*laplacian(u, 8); p' = u");
    assertThat(first(wave, ElementType.F32)).isEqualTo(new PlaneShape(1, 4, 2, 8, 2, false));
    assertThat(first(wave, ElementType.F64)).isEqualTo(new PlaneShape(1, 2, 2, 8, 2, false));
  }

  private static String box() {
    return IntStream.range(0, 27)
        .mapToObj(i -> "0.0%d*u[%d,%d,%d]".formatted(10 + i, i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1))
        .collect(Collectors.joining(" + "));
  }

  private static PlaneShape first(ProgramTraits traits, ElementType type) {
    return PlaneStreams.fastestFirst(traits, type, LARGE, DeviceTraits.H200).get(0).shape();
  }
}
