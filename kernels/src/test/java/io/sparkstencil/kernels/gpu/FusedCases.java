/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.testkit.ResultComparator;
import io.sparkstencil.testkit.SeriesGenerator;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import io.sparkstencil.testkit.SeriesOracle;
import io.sparkstencil.testkit.TestSeries;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Weighted sums of doubles with fused products, at random: frames, weights, boundaries, lengths and
 * cells, special ones among them. A case is one series.
 */
final class FusedCases {
  private static final int BATCH_BYTES = 1 << 20;
  private static final int LONGEST = 900;
  private static final int WIDEST = 521;

  private static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.VALID,
          Boundary.SHRINK,
          Boundary.constant(-3),
          Boundary.constant(Double.POSITIVE_INFINITY),
          Boundary.NEAREST,
          Boundary.REFLECT,
          Boundary.MIRROR,
          Boundary.WRAP);

  private static final double[] SPECIAL_WEIGHTS = {
    0.0, -0.0, 1, -1, Double.MIN_VALUE, 1e-310, 1e300, -1e-300
  };

  private FusedCases() {}

  /** Returns the choices of a case; seeds side by side would begin alike. */
  static Random random(int seed) {
    return new Random(0x9E3779B97F4A7C15L * (seed + 1));
  }

  /** Returns a weighted sum at random. */
  static StencilSpec spec(Random random) {
    int width =
        1 + (random.nextInt(4) == 0 ? random.nextInt(64) : 64 + random.nextInt(WIDEST - 64));
    int first = -random.nextInt(width + 1);
    boolean special = random.nextInt(3) == 0;
    double[] weights = new double[width];
    for (int i = 0; i < width; i++) {
      weights[i] =
          special && random.nextInt(5) == 0
              ? SPECIAL_WEIGHTS[random.nextInt(SPECIAL_WEIGHTS.length)]
              : random.nextGaussian() * Math.scalb(1.0, random.nextInt(30) - 15);
    }
    Stencil stencil = Stencil.weighted(Frame.offsets(first, first + width - 1), weights);
    Boundary boundary = BOUNDARIES.get(random.nextInt(BOUNDARIES.size()));
    return new StencilSpec(
        stencil.withBoundary(boundary).withAccuracy(Accuracy.FMA), ElementType.F64);
  }

  /** Returns series at random; nulls are in all or in none. */
  static List<TestSeries> series(Random random, int count) {
    SeriesGenerator generator = new SeriesGenerator(random.nextLong());
    boolean nulls = random.nextInt(4) == 0;
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              CellMix special = nulls ? CellMix.SPECIAL_NULLS : CellMix.SPECIAL;
              CellMix ordinary = nulls ? CellMix.NULLS : CellMix.ORDINARY;
              return generator.next(
                  ElementType.F64,
                  1 + generator.nextInt(LONGEST),
                  generator.nextInt(4) > 0 ? special : ordinary);
            })
        .toList();
  }

  /** Returns what is wrong with the results of an engine. */
  static List<String> differences(
      StencilEngine engine,
      StencilSpec spec,
      List<TestSeries> series,
      List<SeriesOracle.Expected> expected) {
    List<Segment<Integer>> segments = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      TestSeries one = series.get(i);
      segments.add(new Segment<>(i, one.cells(), one.validity(), 0, one.length(), null, null, 1));
    }
    List<String> wrong = new ArrayList<>();
    int done = 0;
    try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
        PartitionPipeline.ofSegments(engine, List.of(spec), BATCH_BYTES)) {
      Iterator<Segment<Integer>> results = pipeline.run(segments.iterator());
      while (results.hasNext()) {
        Segment<Integer> back = results.next();
        int at = back.attachment();
        ResultComparator.difference(
                spec, expected.get(at), back.result(0, ElementType.F64), back.resultValidity(0))
            .ifPresent(
                text ->
                    wrong.add("%s, %s, series %d: %s".formatted(engine.name(), spec, at, text)));
        done++;
      }
    }
    if (done != series.size()) {
      wrong.add("%s, %s: %d of %d series".formatted(engine.name(), spec, done, series.size()));
    }
    return wrong;
  }
}
