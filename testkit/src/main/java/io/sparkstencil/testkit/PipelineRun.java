/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.staging.StagingWriter;
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
    StagingLayout layout = StagingLayout.ofFrames(specs, 1);
    int left = layout.left();
    int right = layout.right();
    Boundary boundary = specs.get(0).boundary();
    List<Segment<Cut>> segments = new ArrayList<>();
    for (TestSeries one : series) {
      int from = 0;
      do {
        int length = Math.min(one.length() - from, random.nextInt(longest + 1));
        int end = from + length;
        boolean copies = boundary.copiesCells();
        Halo before = from == 0 && !copies ? null : halo(one, boundary, from - left, left);
        Halo after = end == one.length() && !copies ? null : halo(one, boundary, end, right);
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
      List<SeriesOracle.Expected> expected = SeriesOracle.expected(series.get(i), specs);
      for (int k = 0; k < specs.size(); k++) {
        assertThat(
                ResultComparator.difference(
                    specs.get(k), expected.get(k), values.get(i).get(k), validity.get(i).get(k)))
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
    HeapCellBuffer halo = new HeapCellBuffer(series.type(), count, true);
    HeapCells cells = new HeapCells(series.cells(), series.validity(), 0, series.length());
    new StagingWriter(series.type(), boundary)
        .write(cells, null, null, first, count, halo, 0, true);
    int outside = Math.max(0, -first) + Math.max(0, first + count - series.length());
    int missing = boundary.leavesMissing() ? Math.min(count, outside) : 0;
    return new Halo(halo.array(), series.validity() == null ? null : halo.validity(), missing);
  }
}
