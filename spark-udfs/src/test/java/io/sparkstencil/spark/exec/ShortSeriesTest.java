/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.CpuEngineProvider;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
    StencilSpec spec = spec(Stencil.mean(Frame.between(preceding, following)));
    assertThat(ShortSeries.clip(spec, length).frame()).isEqualTo(Frame.between(before, after));
  }

  @Test
  void framesUnderOtherRulesStay() {
    StencilSpec nearest =
        spec(Stencil.mean(Frame.radius(100)).withBoundary(Boundary.parse("nearest")));
    StencilSpec weighted = spec(Stencil.weighted(Frame.between(40, -40), 1));
    assertThat(ShortSeries.clip(nearest, 16)).isSameAs(nearest);
    assertThat(ShortSeries.clip(weighted, 16)).isSameAs(weighted);
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
    Stencil sum = Stencil.sum(Frame.between(600, -2));
    StagePlan plan =
        StagePlan.of(List.of(new StencilCall(0, CellKind.DOUBLE, sum, SumOverflow.WRAP)));
    BlockChunks<double[]> chunks = new BlockChunks<>(plan, double[].class, series.iterator(), true);
    try (StencilEngine engine = new CpuEngineProvider().open(Map.of());
        ChunkRunner<Void> runner =
            new ChunkRunner<>(plan, List.of(engine), SeriesEdges.none(1), chunks.chunks())) {
      List<double[]> results = new ArrayList<>();
      chunks.blocks(runner).forEachRemaining(results::add);
      assertThat(results).hasSameSizeAs(series);
      for (int s = 0; s < results.size(); s++) {
        assertThat(results.get(s)).containsExactly(sums(series.get(s)));
      }
    }
  }

  private static double[] sums(double[] cells) {
    double[] sums = new double[cells.length];
    for (int i = 0; i < cells.length; i++) {
      double sum = 0;
      for (int j = Math.max(0, i - 600); j <= i - 2; j++) {
        sum += cells[j];
      }
      sums[i] = i < 2 ? Double.NaN : sum; // a block has NaN where there is no result
    }
    return sums;
  }
}
