/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.cpu.CpuOptions;
import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.cpu.sort.CpuRowSort;
import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.ImageFilters;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the host computes ends within a second of an interrupt, wherever it is. */
final class CancelledWorkTest {
  private static final StencilProgram NEXT = ProgramText.parse("u' = u + u[1]");

  private static ProgramArrays arrays(Integer... sizes) {
    Extent extent = Extent.of(sizes);
    return new ProgramArrays(ElementType.F64, extent, List.of(new double[extent.cells()]));
  }

  private static void requireEnds(String what, CompiledProgram program, int steps, Integer... sizes)
      throws InterruptedException {
    ProgramArrays arrays = arrays(sizes);
    EndedWork.requireEndsSoon(
        what, () -> program.run(arrays, ParameterValues.NONE, steps, what.contains("4") ? 4 : 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"one thread", "4 threads"})
  void stepsOfAProgramEndBetweenPasses(String threads) throws InterruptedException {
    CompiledProgram compiled = CpuProgram.compile(NEXT, Map.of())::run;

    requireEnds("few cells, " + threads, compiled, Integer.MAX_VALUE, 3);
    requireEnds("many cells, " + threads, compiled, Integer.MAX_VALUE, 1 << 22);
  }

  @Test
  void noThreadOfAProgramIsLeftBehind() throws InterruptedException {
    CompiledProgram compiled = CpuProgram.compile(NEXT, Map.of())::run;

    requireEnds("all 4 threads", compiled, Integer.MAX_VALUE, 1 << 22);

    List<List<StackTraceElement>> left =
        Thread.getAllStackTraces().values().stream()
            .map(List::of)
            .filter(
                frames ->
                    frames.stream()
                        .anyMatch(
                            frame -> frame.getClassName().startsWith(CpuProgram.class.getName())))
            .toList();
    assertThat(left).isEmpty();
  }

  @Test
  void aSingleStepOfManyTermsEnds() throws InterruptedException {
    int radius = 15; // 961 terms
    double[][] weights = new double[2 * radius + 1][2 * radius + 1];
    for (double[] row : weights) {
      Arrays.fill(row, 0.5);
    }
    CompiledProgram compiled = CpuProgram.compile(ImageFilters.convolve(weights), Map.of())::run;

    requireEnds("one step", compiled, 1, 3000, 3000);
  }

  @Test
  void theReferenceOfProgramsEndsWithinAStep() throws InterruptedException {
    requireEnds(
        "few cells",
        (arrays, values, steps, threads) -> ProgramReference.run(NEXT, arrays, values, steps),
        Integer.MAX_VALUE,
        3);
    requireEnds(
        "many cells",
        (arrays, values, steps, threads) -> ProgramReference.run(NEXT, arrays, values, steps),
        1,
        1 << 26);
  }

  private static void requireEnds(StencilEngine engine, StencilSpec spec, int cells, int steps)
      throws InterruptedException {
    StagingLayout layout = StagingLayout.ofFrames(List.of(spec), Lane.STEP_ALIGNMENT_CELLS);
    layout.add(cells, layout.left(), layout.right());
    try (Lane lane = engine.openLane();
        CloseScope buffers = new CloseScope()) {
      CellBuffer input = buffers.add(lane.lease(spec.type(), layout.stagedCells(), false));
      CellBuffer output = buffers.add(lane.lease(spec.type(), layout.stagedCells(), false));
      CellBuffer between = buffers.add(lane.lease(spec.type(), layout.stagedCells(), false));
      StagedBatch batch = new StagedBatch(layout, input, false);
      EndedWork.requireEndsSoon(
          "%d steps of %s over %d cells".formatted(steps, spec, cells),
          () -> lane.submitSteps(batch, engine.compile(spec), output, between, steps).await());
    }
  }

  private static StencilSpec spec(Stencil stencil) {
    return new StencilSpec(stencil.withBoundary(Boundary.constant(0)), ElementType.F64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "false"})
  void windowsOfTheCpuEnd(String vectors) throws InterruptedException {
    try (StencilEngine engine = new CpuEngine(Map.of(CpuOptions.VECTORS.key(), vectors))) {
      requireEnds(engine, spec(Stencil.mean(Frame.radius(3))), 100, Integer.MAX_VALUE);
      requireEnds(engine, spec(Stencil.mean(Frame.radius(1 << 20))), 1 << 20, 1);
      requireEnds(engine, spec(Stencil.min(Frame.radius(1 << 20))), 1 << 20, 1_000_000);
    }
  }

  @Test
  void framesMuchWiderThanTheSeriesEnd() throws InterruptedException {
    try (StencilEngine engine = new CpuEngine(Map.of());
        Lane lane = engine.openLane()) {
      StencilSpec spec = spec(Stencil.sum(Frame.radius(1 << 26)));
      int cells = 1 << 16;
      StagingLayout layout = new StagingLayout(0, 0);
      layout.add(cells, 0, 0);
      CellBuffer input = lane.lease(spec.type(), layout.stagedCells(), false);
      CellBuffer output = lane.lease(spec.type(), layout.stagedCells(), false);
      StagedBatch batch = new StagedBatch(layout, input, false);
      EndedWork.requireEndsSoon(
          "a wide frame",
          () -> lane.submit(batch, List.of(engine.compile(spec)), List.of(output)).await());
    }
  }

  @Test
  void windowsOfTheReferenceEnd() throws InterruptedException {
    try (StencilEngine engine = new ReferenceEngine()) {
      requireEnds(engine, spec(Stencil.mean(Frame.radius(3))), 100, Integer.MAX_VALUE);
      requireEnds(engine, spec(Stencil.mean(Frame.radius(1 << 14))), 1 << 20, 1);
    }
  }

  @Test
  void sortsOfRowsEnd() throws InterruptedException {
    int rows = 1 << 20;
    long[] words = new long[rows];
    for (int i = 0; i < rows; i++) {
      words[i] = i * 0x9E3779B97F4A7C15L;
    }
    EndedWork.requireEndsSoon(
        "sorts",
        () -> {
          while (true) {
            try (CpuRowSort sort = new CpuRowSort(rows, 1)) {
              for (int from = 0; from < rows; from += 1 << 16) {
                sort.add(words, from, 1 << 16, List.of(new RowSort.Packed(64, 0, 0, 0)), 1 << 16);
              }
              sort.sort(
                  List.of(new RowSort.Key(0, RowSort.Form.LONG, false, Long.MIN_VALUE, 64)), 1);
            }
          }
        });
  }
}
