/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.CpuEngineProvider;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames that are wider than their series are cut, and results stay what they are. */
final class ShortSeriesTest {
  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 16, 16, 16",
    "1000, 3, 16, 16, 3",
    "3, 1000, 16, 3, 16",
    "-500, 700, 16, -16, 16",
    "-20, 900, 64, -20, 64",
    "700, -500, 16, 16, -16",
    "5, 5, 16, 5, 5"
  })
  void framesAreCut(int preceding, int following, int length, int before, int after) {
    StencilSpec spec = spec(Stencil.mean(Frame.offsets(-preceding, following)));
    assertThat(spec.withinSeriesOf(length).frame()).isEqualTo(Frame.offsets(-before, after));
  }

  @Test
  void framesStayWhereTheirResultsDependOnThem() {
    StencilSpec nearest =
        spec(Stencil.mean(Frame.radius(100)).withBoundary(Boundary.parse("nearest")));
    StencilSpec mirrored = spec(Stencil.min(Frame.radius(100)).withBoundary(Boundary.MIRROR));
    assertThat(nearest.withinSeriesOf(16)).isSameAs(nearest);
    assertThat(mirrored.withinSeriesOf(16)).isSameAs(mirrored);
    StencilSpec least = spec(Stencil.min(Frame.radius(100)).withBoundary(Boundary.NEAREST));
    assertThat(least.withinSeriesOf(16).frame()).isEqualTo(Frame.radius(16));
  }

  @Test
  void weightsAreCutWithTheirFrames() {
    StencilSpec weighted = spec(Stencil.weighted(Frame.offsets(-3, 2), 1, 2, 3, 4, 5, 6));
    assertThat(weighted.withinSeriesOf(1).stencil())
        .isEqualTo(Stencil.weighted(Frame.radius(1), 3, 4, 5));
    assertThat(weighted.withinSeriesOf(2).stencil())
        .isEqualTo(Stencil.weighted(Frame.radius(2), 2, 3, 4, 5, 6));
    StencilSpec beside = spec(Stencil.weighted(Frame.offsets(-41, -40), 1, 2));
    assertThat(beside.withinSeriesOf(16).frame()).isEqualTo(Frame.offsets(-16, -16));
  }

  private static StencilSpec spec(Stencil stencil) {
    return new StencilSpec(stencil, CellKind.DOUBLE.stagedFor(stencil.reduction()));
  }

  @Test
  void seriesOfAllLengthsInOneTask() {
    Random random = new Random(5);
    List<double[]> series = new ArrayList<>();
    for (int length : new int[] {1, 3, 2, 300, 5, 40_000, 1, 2, 70_000, 900, 3}) {
      // Enough small ones that chunks without a long one come in between.
      for (int copies = 0; copies < Math.max(1, 40_000 / (length * 4)); copies++) {
        series.add(random.doubles(length).toArray());
      }
    }
    Stencil sum = Stencil.sum(Frame.offsets(-200, -2));
    StagePlan plan =
        StagePlan.of(List.of(new StagePlan.Call(0, CellKind.DOUBLE, sum, SumOverflow.WRAP)));
    try (StencilEngine engine = new CpuEngineProvider().open(Map.of());
        ChunkRunner<Void> runner =
            new ChunkRunner<>(
                plan,
                List.of(engine),
                List.of(),
                SeriesHalos.none(1),
                chunks(plan, series).iterator())) {
      DoubleStream.Builder results = DoubleStream.builder();
      while (runner.hasNext()) {
        SeriesChunk<Void> chunk = runner.next();
        for (int run = 0; run < chunk.runs(); run++) {
          addResults(chunk.segment(0, run), results);
        }
      }
      assertThat(results.build().toArray())
          .containsExactly(series.stream().flatMapToDouble(ShortSeriesTest::sums).toArray());
    }
  }

  private static List<SeriesChunk<Void>> chunks(StagePlan plan, List<double[]> series) {
    List<SeriesChunk<Void>> chunks = new ArrayList<>();
    ChunkBuilder builder = new ChunkBuilder(plan, false);
    for (double[] cells : series) {
      for (int taken = 0; taken < cells.length; ) {
        int count = Math.min(cells.length - taken, builder.room());
        builder.columns()[0].addArray(cells, taken, count);
        taken += count;
        if (taken == cells.length) {
          builder.endSeries();
        }
        int at = builder.cutPoint(false);
        if (at > 0) {
          chunks.add(builder.cut(at, null));
        }
      }
    }
    chunks.add(builder.finish(null));
    return chunks;
  }

  private static void addResults(Segment<Void> segment, DoubleStream.Builder results) {
    byte[] validity = segment.resultValidity(0);
    double[] values = (double[]) segment.result(0, ElementType.F64);
    for (int i = 0; i < segment.length(); i++) {
      results.add(validity == null || validity[i] == 1 ? values[i] : Double.NaN);
    }
  }

  private static DoubleStream sums(double[] cells) {
    double[] sums = new double[cells.length];
    for (int i = 0; i < cells.length; i++) {
      double sum = 0;
      for (int j = Math.max(0, i - 200); j <= i - 2; j++) {
        sum += cells[j];
      }
      sums[i] = i < 2 ? Double.NaN : sum; // NaN stands for no result
    }
    return DoubleStream.of(sums);
  }
}
