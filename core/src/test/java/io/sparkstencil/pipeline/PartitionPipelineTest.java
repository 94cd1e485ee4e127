/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.segment.Segment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartitionPipelineTest {
  private static final StencilSpec SUM =
      new StencilSpec(Stencil.sum(Frame.precedingFollowing(2, 1)), ElementType.I64);

  private final ReferenceEngine engine = new ReferenceEngine();

  @AfterEach
  void close() {
    engine.close();
  }

  private PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline(int batchBytes) {
    return PartitionPipeline.ofSegments(engine, List.of(SUM), batchBytes);
  }

  private static List<Segment<Integer>> segments(int... lengths) {
    Random random = new Random(5);
    List<Segment<Integer>> segments = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      long[] cells = random.longs(lengths[i], 0, 1000).toArray();
      segments.add(Segment.series(i, cells, 1));
    }
    return segments;
  }

  private static long[] sums(long[] cells) {
    return IntStream.range(0, cells.length)
        .mapToLong(
            i ->
                IntStream.rangeClosed(Math.max(0, i - 2), Math.min(cells.length - 1, i + 1))
                    .mapToLong(j -> cells[j])
                    .sum())
        .toArray();
  }

  @Test
  void givesSegmentsBackInOrderForAnyBatchSize() {
    for (int batchBytes : new int[] {0, 1, 40961, 1 << 20}) {
      List<Segment<Integer>> segments = segments(0, 1, 9000, 0, 0, 4096, 4095, 2, 20000, 0);
      int expected = 0;
      try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
          pipeline(batchBytes)) {
        Iterator<Segment<Integer>> results = pipeline.run(segments.iterator());
        while (results.hasNext()) {
          Segment<Integer> segment = results.next();
          assertThat(segment.attachment()).isEqualTo(expected++);
          assertThat((long[]) segment.result(0, ElementType.I64))
              .as("%d, batches of %d", segment.attachment(), batchBytes)
              .isEqualTo(sums((long[]) segment.source().onHeap().array()));
        }
        assertThatThrownBy(results::next).isInstanceOf(NoSuchElementException.class);
      }
      assertThat(expected).isEqualTo(segments.size());
    }
  }

  @Test
  void segmentsWithoutResultsFillBatchesToo() {
    int cells = engine.preferredBatchBytes() / Long.BYTES;
    StencilSpec wide =
        new StencilSpec(
            Stencil.sum(Frame.radius(cells)).withBoundary(Boundary.VALID), ElementType.I64);
    Segment<Integer> tooShort = Segment.series(0, new long[cells], 1);
    int[] read = {0};
    Iterator<Segment<Integer>> source =
        IntStream.range(0, 100).mapToObj(i -> tooShort).peek(each -> read[0]++).iterator();
    try (PartitionPipeline<Segment<Integer>, Segment<Integer>, Segment<Integer>> pipeline =
        new PartitionPipeline<>(
            List.of(new Staging(0, List.of(wide), 1, cells, cells)),
            List.of(engine),
            (segment, items) -> {
              items.add(0, segment);
              return segment;
            },
            (segment, results) -> segment)) {
      pipeline.run(source).next();
      assertThat(read[0]).isLessThan(10);
    }
  }

  @Test
  void readsNoFurtherAheadThanItsSlotsReach() {
    List<Segment<Integer>> segments = segments(new int[100]);
    segments.replaceAll(s -> Segment.series(s.attachment(), new long[5000], 1));
    Iterator<Segment<Integer>> source = segments.iterator();
    try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline = pipeline(1)) {
      pipeline.run(source).next();
      assertThat(source.next().attachment()).isLessThan(6);
    }
  }

  @Test
  void letsTheFailureOfItsSourceThrough() {
    Iterator<Segment<Integer>> first = segments(10000, 3).iterator();
    Iterator<Segment<Integer>> failing =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public Segment<Integer> next() {
            if (!first.hasNext()) {
              throw new IllegalStateException("disk gone");
            }
            return first.next();
          }
        };
    try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline = pipeline(1)) {
      Iterator<Segment<Integer>> results = pipeline.run(failing);
      assertThatThrownBy(() -> results.forEachRemaining(s -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("disk gone");
    }
  }

  @Test
  void refusesStencilsThatCannotShareAStaging() {
    StencilSpec other = new StencilSpec(SUM.stencil().withBoundary(Boundary.WRAP), ElementType.I64);
    assertThatThrownBy(() -> PartitionPipeline.ofSegments(engine, List.of(SUM, other), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("share element type and boundary")
        .hasMessageContaining("wrap");
    assertThatThrownBy(() -> PartitionPipeline.ofSegments(engine, List.of(), 1))
        .hasMessageContaining("at least one stencil");
  }
}
