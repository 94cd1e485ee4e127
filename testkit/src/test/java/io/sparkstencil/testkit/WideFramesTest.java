/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames that reach far beyond their series, which cost no more memory than the series. */
class WideFramesTest {
  private static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.SHRINK,
          Boundary.VALID,
          Boundary.constant(3),
          Boundary.NEAREST,
          Boundary.REFLECT,
          Boundary.MIRROR,
          Boundary.WRAP);

  private static final List<Frame> FRAMES =
      List.of(
          Frame.radius(700),
          Frame.precedingFollowing(5, 40_000),
          Frame.offsets(900, 1500),
          Frame.offsets(-1500, -20));

  private static Stream<StencilSpec> specs(ElementType type, Frame frame, Boundary boundary) {
    double[] weights = new double[frame.width()];
    Arrays.setAll(weights, i -> i % 5 - 2);
    return Stream.of(
            Stencil.sum(frame),
            Stencil.mean(frame),
            Stencil.sum(frame).withAccuracy(Accuracy.FAST),
            Stencil.min(frame),
            Stencil.max(frame),
            Stencil.count(frame),
            Stencil.weighted(frame, weights))
        .filter(each -> type.isFloating() || each.reduction() != Reduction.MEAN)
        .map(each -> new StencilSpec(each.withBoundary(boundary), type));
  }

  @ParameterizedTest
  @EnumSource
  void haveTheResultsOfTheDefinition(ElementType type) {
    SeriesGenerator generator = new SeriesGenerator(20261122);
    for (Boundary boundary : BOUNDARIES) {
      // Over all types, each boundary meets each frame, with nulls and without.
      int turn = BOUNDARIES.indexOf(boundary) + List.of(ElementType.values()).indexOf(type);
      List<StencilSpec> specs =
          IntStream.range(0, FRAMES.size())
              .filter(i -> (i + turn) % 2 == 0)
              .boxed()
              .flatMap(i -> specs(type, FRAMES.get(i), boundary))
              .toList();
      CellMix kind = turn / 2 % 2 == 0 ? CellMix.SPECIAL : CellMix.SPECIAL_NULLS;
      List<TestSeries> series = new ArrayList<>();
      for (int length : new int[] {1, 2, 40, 0, 257, 3}) {
        series.add(generator.next(type, length, kind));
      }
      check(series, specs, 1 << 10);
    }
  }

  private static void check(List<TestSeries> series, List<StencilSpec> specs, int batchBytes) {
    Stream<Segment<TestSeries>> segments =
        series.stream()
            .map(
                one ->
                    new Segment<>(
                        one,
                        one.cells(),
                        one.validity(),
                        0,
                        one.length(),
                        null,
                        null,
                        specs.size()));
    try (CpuEngine engine = new CpuEngine(Map.of());
        PartitionPipeline<Segment<TestSeries>, ?, Segment<TestSeries>> pipeline =
            PartitionPipeline.ofSegments(engine, specs, batchBytes)) {
      pipeline
          .run(segments.iterator())
          .forEachRemaining(
              back -> {
                List<SeriesOracle.Expected> expected =
                    SeriesOracle.expected(back.attachment(), specs);
                for (int k = 0; k < specs.size(); k++) {
                  StencilSpec spec = specs.get(k);
                  assertThat(
                          ResultComparator.difference(
                              spec,
                              expected.get(k),
                              back.result(k, spec.type()),
                              back.resultValidity(k)))
                      .as("%s over %d cells", spec, back.length())
                      .isEmpty();
                }
              });
    }
  }

  @Test
  void needNoMemoryForCellsBesideTheSeries() {
    Frame frame = Frame.radius(Frame.MAX_REACH);
    double[] cells = new double[100];
    Arrays.fill(cells, 0.5);
    Stencil fast = Stencil.sum(frame).withAccuracy(Accuracy.FAST); // exact ones take 10 s
    for (Boundary boundary : List.of(Boundary.constant(0.5), Boundary.REFLECT)) {
      List<StencilSpec> specs =
          Stream.of(fast, Stencil.min(frame), Stencil.count(frame))
              .map(each -> new StencilSpec(each.withBoundary(boundary), ElementType.F64))
              .toList();
      try (CpuEngine engine = new CpuEngine(Map.of());
          PartitionPipeline<Segment<Void>, ?, Segment<Void>> pipeline =
              PartitionPipeline.ofSegments(engine, specs, engine.preferredBatchBytes())) {
        Segment<Void> back =
            pipeline.run(List.of(Segment.<Void>series(null, cells, 3)).iterator()).next();
        assertThat((double[]) back.result(0, ElementType.F64)).containsOnly(frame.width() * 0.5);
        assertThat((double[]) back.result(1, ElementType.F64)).containsOnly(0.5);
        assertThat((double[]) back.result(2, ElementType.F64)).containsOnly(frame.width());
      }
    }
  }
}
