/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Frames so wide that clipped outputs share a core, on a real device. */
@RequiresGpu
class WideEdgesGpuTest {
  private static final int[] LENGTHS = {1, 2, 255, 256, 257, 700, 1201, 5000, 20_001};
  private static final List<Frame> FRAMES =
      List.of(
          Frame.radius(600),
          Frame.precedingFollowing(3000, 0),
          Frame.precedingFollowing(0, 1300),
          Frame.offsets(-2000, -500), // does not contain the current cell
          Frame.offsets(900, 2100),
          Frame.radius(9000));

  private static StencilEngine engine;

  @BeforeAll
  static void open() {
    engine = new GpuEngineProvider().open(Map.of());
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  /** Few different cells, zeros of both signs among them: ties are the rule. */
  private static float[] cells(Random random, int count) {
    float[] choice = {-0.0f, 0.0f, 0.0f, -0.0f, 1, 2.5f, Float.NaN, Float.POSITIVE_INFINITY};
    float[] cells = new float[count];
    int some = 3 + random.nextInt(choice.length - 2);
    for (int i = 0; i < count; i++) {
      cells[i] = choice[random.nextInt(some)];
    }
    return cells;
  }

  private static List<Segment<Integer>> series(ElementType type, boolean nulls) {
    Random random = new Random(17);
    List<Segment<Integer>> series = new ArrayList<>();
    for (int length : LENGTHS) {
      Object array =
          type == ElementType.F32
              ? cells(random, length)
              : random.ints(length, -1000, 1000).toArray();
      byte[] validity = nulls ? new byte[length] : null;
      for (int i = 0; i < length && nulls; i++) {
        validity[i] = (byte) (random.nextInt(1500) == 0 ? 0 : 1);
      }
      series.add(new Segment<>(length, array, validity, 0, length, null, null, 1));
    }
    return series;
  }

  private static List<Segment<Integer>> run(
      StencilEngine engine, StencilSpec spec, List<Segment<Integer>> input) {
    List<Segment<Integer>> results = new ArrayList<>();
    try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
        PartitionPipeline.ofSegments(engine, List.of(spec), 1 << 18)) {
      pipeline.run(input.iterator()).forEachRemaining(results::add);
    }
    return results;
  }

  private static void assertEqualBits(Stencil stencil, ElementType type, boolean nulls) {
    StencilSpec spec = new StencilSpec(stencil, type);
    assertThat(EdgeVariant.of(spec, nulls))
        .map(EdgeVariant::form)
        .contains(EdgeVariant.Form.SHARED_CORE);
    List<Segment<Integer>> actual = run(engine, spec, series(type, nulls));
    try (StencilEngine reference = new ReferenceEngine()) {
      List<Segment<Integer>> expected = run(reference, spec, series(type, nulls));
      for (int s = 0; s < LENGTHS.length; s++) {
        assertThat(bits(actual.get(s).result(0, type)))
            .as("%s, series of %d", spec, LENGTHS[s])
            .isEqualTo(bits(expected.get(s).result(0, type)));
        assertThat(actual.get(s).resultValidity(0)).isEqualTo(expected.get(s).resultValidity(0));
      }
    }
  }

  /** One pattern for all NaN. */
  private static int[] bits(Object result) {
    if (result instanceof int[] ints) {
      return ints;
    }
    float[] floats = (float[]) result;
    int[] bits = new int[floats.length];
    Arrays.setAll(bits, i -> Float.floatToIntBits(floats[i]));
    return bits;
  }

  @Test
  void leastAndGreatestCellsKeepTheOrderAmongEquals() {
    for (Frame frame : FRAMES) {
      assertEqualBits(Stencil.min(frame), ElementType.F32, false);
      assertEqualBits(Stencil.max(frame), ElementType.F32, false);
    }
  }

  @Test
  void integersAreExact() {
    for (Frame frame : FRAMES) {
      assertEqualBits(Stencil.min(frame), ElementType.I32, false);
      assertEqualBits(Stencil.max(frame), ElementType.I32, false);
    }
  }

  @Test
  void aWeightedSumIsNullWhereATapInsideTheSeriesIs() {
    for (Frame frame : FRAMES) {
      double[] weights = new double[frame.width()];
      Arrays.fill(weights, 1);
      assertEqualBits(Stencil.weighted(frame, weights), ElementType.I32, true);
    }
  }

  @Test
  void fastMeansStayWithinTheirBound() {
    Random random = new Random(5);
    float[] cells = new float[20_001];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = random.nextFloat();
    }
    for (Frame frame : FRAMES) {
      Stencil exact = Stencil.mean(frame);
      StencilSpec fast = new StencilSpec(exact.withAccuracy(Accuracy.FAST), ElementType.F32);
      StencilSpec inDouble = new StencilSpec(exact, ElementType.F64);
      double[] doubles = new double[cells.length];
      Arrays.setAll(doubles, i -> cells[i]);
      float[] actual =
          (float[])
              run(engine, fast, List.of(Segment.series(0, cells, 1)))
                  .get(0)
                  .result(0, ElementType.F32);
      double[] expected;
      try (StencilEngine reference = new ReferenceEngine()) {
        expected =
            (double[])
                run(reference, inDouble, List.of(Segment.series(0, doubles, 1)))
                    .get(0)
                    .result(0, ElementType.F64);
      }
      // Cells are between 0 and 1: a sum of W of them in any order is off by at most W half units.
      double bound = frame.width() * 0x1p-23;
      for (int i = 0; i < cells.length; i++) {
        assertThat((double) actual[i]).isCloseTo(expected[i], within(bound));
      }
    }
  }
}
