/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Cuts series into segments with the halos that neighbours would send, runs them through the
 * pipeline and checks that the pieces put together are the results of the whole series.
 */
final class PipelineRun {
  /** Which cells of which series a segment is. */
  private record Cut(TestSeries series, int from) {}

  private final StencilEngine engine;
  private final String context;
  private final SeriesGenerator random;

  PipelineRun(StencilEngine engine, String context, SeriesGenerator random) {
    this.engine = engine;
    this.context = context;
    this.random = random;
  }

  /** Cuts each series into segments of at most {@code longest} cells, some of them empty. */
  void check(List<TestSeries> series, List<StencilSpec> specs, int longest, int batchBytes) {
    int left = specs.stream().mapToInt(s -> s.frame().left()).max().orElseThrow();
    int right = specs.stream().mapToInt(s -> s.frame().right()).max().orElseThrow();
    List<Segment<Cut>> segments = new ArrayList<>();
    for (TestSeries one : series) {
      int from = 0;
      do {
        int length = Math.min(one.length() - from, random.nextInt(longest + 1));
        Halo before = from == 0 ? null : halo(one, specs.get(0).boundary(), from - left, left);
        int end = from + length;
        Halo after = end == one.length() ? null : halo(one, specs.get(0).boundary(), end, right);
        if (specs.get(0).boundary().copiesCells()) {
          before = halo(one, specs.get(0).boundary(), from - left, left);
          after = halo(one, specs.get(0).boundary(), end, right);
        }
        segments.add(
            new Segment<>(
                new Cut(one, from),
                one.cells(),
                one.validity(),
                from,
                length,
                before,
                after,
                specs.size()));
        from = end;
      } while (from < one.length());
    }
    run(series, segments, specs, batchBytes);
  }

  private void run(
      List<TestSeries> series,
      List<Segment<Cut>> segments,
      List<StencilSpec> specs,
      int batchBytes) {
    List<List<Object>> values = new ArrayList<>();
    List<List<byte[]>> validity = new ArrayList<>();
    for (TestSeries one : series) {
      values.add(specs.stream().map(s -> s.type().newArray(one.length())).toList());
      List<byte[]> bytes = new ArrayList<>();
      for (int k = 0; k < specs.size(); k++) {
        byte[] ones = new byte[one.length()];
        Arrays.fill(ones, (byte) 1);
        bytes.add(ones);
      }
      validity.add(bytes);
    }
    try (PartitionPipeline<Segment<Cut>, ?, Segment<Cut>> pipeline =
        PartitionPipeline.ofSegments(engine, specs, batchBytes)) {
      Iterator<Segment<Cut>> results = pipeline.run(segments.iterator());
      for (Segment<Cut> sent : segments) {
        Segment<Cut> back = results.next();
        assertThat(back).as("%s: order of segments", context).isSameAs(sent);
        int index = series.indexOf(back.attachment().series());
        collect(back, specs, values.get(index), validity.get(index));
      }
      assertThat(results.hasNext()).as("%s: segments left", context).isFalse();
    }
    for (int i = 0; i < series.size(); i++) {
      for (int k = 0; k < specs.size(); k++) {
        SeriesOracle.Expected expected = SeriesOracle.expected(series.get(i), specs.get(k));
        assertThat(
                ResultComparator.difference(
                    specs.get(k), expected, values.get(i).get(k), validity.get(i).get(k)))
            .as("%s: %s: series %d", context, specs.get(k), i)
            .isEmpty();
      }
    }
  }

  private static void collect(
      Segment<Cut> segment, List<StencilSpec> specs, List<Object> values, List<byte[]> validity) {
    for (int k = 0; k < specs.size() && segment.length() > 0; k++) {
      int from = segment.attachment().from();
      Object result = segment.result(k, specs.get(k).type());
      System.arraycopy(result, 0, values.get(k), from, segment.length());
      if (segment.resultValidity(k) != null) {
        System.arraycopy(segment.resultValidity(k), 0, validity.get(k), from, segment.length());
      }
    }
  }

  /** The cells at {@code [first, first + count)} of the series continued by the boundary rule. */
  private static Halo halo(TestSeries series, Boundary boundary, int first, int count) {
    Object cells = series.type().newArray(count);
    byte[] validity = new byte[count];
    int missing = 0;
    for (int i = 0; i < count; i++) {
      long source = boundary.sourceIndex((long) first + i, series.length());
      if (source < 0) {
        if (boundary.leavesMissing()) {
          missing++;
        } else {
          fill(series, boundary.constant(), cells, i);
          validity[i] = 1;
        }
        continue;
      }
      System.arraycopy(series.cells(), (int) source, cells, i, 1);
      validity[i] = series.isNull((int) source) ? (byte) 0 : 1;
    }
    return new Halo(cells, series.validity() == null ? null : validity, missing);
  }

  private static void fill(TestSeries series, double value, Object cells, int index) {
    switch (series.type()) {
      case F32 -> ((float[]) cells)[index] = (float) value;
      case F64 -> ((double[]) cells)[index] = value;
      case I32 -> ((int[]) cells)[index] = (int) value;
      case I64 -> ((long[]) cells)[index] = (long) value;
    }
  }
}
