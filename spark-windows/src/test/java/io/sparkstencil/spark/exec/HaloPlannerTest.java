/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Halo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Halos of partitions of any sizes against the series as a whole. */
final class HaloPlannerTest {
  private static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.VALID,
          Boundary.SHRINK,
          Boundary.constant(-7.5),
          Boundary.NEAREST,
          Boundary.REFLECT,
          Boundary.MIRROR,
          Boundary.WRAP);

  private static final List<Frame> FRAMES =
      List.of(
          Frame.radius(0),
          Frame.radius(1),
          Frame.radius(3),
          Frame.precedingFollowing(5, 2),
          Frame.precedingFollowing(0, 4),
          Frame.offsets(2, 6),
          Frame.offsets(-9, -3),
          Frame.radius(40));

  private static StagePlan plan(Stencil stencil) {
    return StagePlan.ofArrays(ElementType.F64, StencilSpec.ofArrays(ElementType.F64, stencil));
  }

  @Test
  void everySplitOfShortSeriesGivesTheCellsThatStandBeside() {
    int splits = 0;
    for (int a = 0; a <= 3; a++) {
      for (int b = 0; b <= 3; b++) {
        for (int c = 0; c <= 3; c++) {
          for (int d = 0; d <= 3; d++) {
            check(new int[] {a, b, c, d}, new Random(a + 4L * b + 16L * c + 64L * d));
            splits++;
          }
        }
      }
    }
    assertThat(splits).isEqualTo(256);
  }

  @Test
  void randomPartitionSizesGiveTheCellsThatStandBeside() {
    Random random = new Random(20261121);
    for (int round = 0; round < 200; round++) {
      int[] sizes = new int[1 + random.nextInt(12)];
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] =
            switch (random.nextInt(4)) {
              case 0 -> 0;
              case 1 -> 1;
              case 2 -> random.nextInt(8);
              default -> random.nextInt(120);
            };
      }
      check(sizes, random);
    }
  }

  @Test
  void whatMovesIsAsLargeAsTheFrameAndNotAsABuffer() throws IOException {
    StagePlan plan = plan(Stencil.mean(Frame.radius(3)));
    EndsCollector collector = new EndsCollector(plan);
    for (int i = 0; i < 1000; i++) {
      collector.columns()[0].add((double) i);
      collector.added(1);
    }
    assertThat(written(collector.ends()).length).isLessThan(2048);
  }

  @Test
  void endsOfBatchesAreThoseOfTheirCells() throws IOException {
    StagePlan plan = plan(Stencil.mean(Frame.radius(3)));
    Random random = new Random(5);
    for (int round = 0; round < 50; round++) {
      EndsCollector batches = new EndsCollector(plan);
      EndsCollector cells = new EndsCollector(plan);
      double cell = 0;
      for (int batch = random.nextInt(6); batch > 0; batch--) {
        int count = random.nextInt(round % 2 == 0 ? 9 : 3000);
        int skipped = batches.skipped(count);
        for (int i = 0; i < count; i++, cell++) {
          if (i >= skipped) {
            batches.columns()[0].add(cell);
          }
          cells.columns()[0].add(cell);
          cells.added(1);
        }
        batches.added(count - skipped);
      }
      assertThat(written(batches.ends())).isEqualTo(written(cells.ends()));
    }
  }

  private static byte[] written(PartitionEnds ends) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(ends);
    }
    return bytes.toByteArray();
  }

  @Test
  void countsOnlyCellsOfOtherPartitionsAsMoved() {
    double[] series = new double[100];
    boolean[] nulls = new boolean[100];
    for (Boundary boundary : BOUNDARIES) {
      StagePlan plan = plan(Stencil.mean(Frame.radius(3)).withBoundary(boundary));
      HaloPlanner one = new HaloPlanner(plan, partitions(plan, new int[] {100}, series, nulls));
      one.halos(0, 1);
      assertThat(one.cellsMoved()).as(boundary.toString()).isZero();

      HaloPlanner two = new HaloPlanner(plan, partitions(plan, new int[] {50, 50}, series, nulls));
      two.halos(0, 1);
      two.halos(1, 2);
      int around = boundary.equals(Boundary.WRAP) ? 2 * 3 : 0;
      assertThat(two.cellsMoved()).as(boundary.toString()).isEqualTo(2 * 3 + around);
    }
  }

  private static void check(int[] sizes, Random random) {
    int total = 0;
    for (int size : sizes) {
      total += size;
    }
    double[] series = new double[total];
    boolean[] nulls = new boolean[total];
    for (int i = 0; i < total; i++) {
      series[i] = i + 1;
      nulls[i] = random.nextInt(5) == 0;
    }
    for (Frame frame : FRAMES) {
      for (Boundary boundary : BOUNDARIES) {
        StagePlan plan = plan(Stencil.mean(frame).withBoundary(boundary));
        HaloPlanner planner = new HaloPlanner(plan, partitions(plan, sizes, series, nulls));
        int start = 0;
        for (int p = 0; p < sizes.length; p++) {
          SeriesHalos halos = planner.halos(p, p + 1);
          int before = needed(plan.left(), boundary, total);
          checkHalo(halos.left(0), boundary, series, nulls, start - before, before);
          start += sizes[p];
          checkHalo(
              halos.right(0),
              boundary,
              series,
              nulls,
              start,
              needed(plan.right(), boundary, total));
        }
        SeriesHalos joined = planner.halos(0, sizes.length);
        int before = needed(plan.left(), boundary, total);
        checkHalo(joined.left(0), boundary, series, nulls, -before, before);
        checkHalo(
            joined.right(0), boundary, series, nulls, total, needed(plan.right(), boundary, total));
      }
    }
  }

  /** Beyond a short series nothing is stored that is not there. */
  private static int needed(int halo, Boundary boundary, int cells) {
    int least = Math.max(16, cells);
    int length = Integer.highestOneBit(2 * least - 1);
    return boundary.leavesMissing() && least < halo + 1 ? Math.min(halo, length) : halo;
  }

  @Test
  void halosAreNoLongerThanAShortSeries() {
    for (Stencil stencil :
        List.of(
            Stencil.mean(Frame.radius(Frame.MAX_REACH)),
            Stencil.sum(Frame.radius(Frame.MAX_REACH)).withBoundary(Boundary.VALID),
            Stencil.max(Frame.radius(Frame.MAX_REACH)).withBoundary(Boundary.NEAREST))) {
      StagePlan plan = plan(stencil);
      List<PartitionEnds> ends =
          partitions(plan, new int[] {3, 0, 97}, new double[100], new boolean[100]);
      SeriesHalos halos = new HaloPlanner(plan, ends).halos(0, 1);
      assertThat(halos.left(0).length()).isEqualTo(128);
      assertThat(halos.right(0).length()).isEqualTo(128);
    }
  }

  private static List<PartitionEnds> partitions(
      StagePlan plan, int[] sizes, double[] series, boolean[] nulls) {
    List<PartitionEnds> ends = new ArrayList<>();
    int at = 0;
    for (int size : sizes) {
      EndsCollector collector = new EndsCollector(plan);
      for (int i = 0; i < size; i++, at++) {
        CellColumn column = collector.columns()[0];
        if (nulls[at]) {
          column.addNull();
        } else {
          column.add(series[at]);
        }
        collector.added(1);
      }
      ends.add(collector.ends());
    }
    return ends;
  }

  private static void checkHalo(
      Halo halo, Boundary boundary, double[] series, boolean[] nulls, int first, int count) {
    assertThat(halo.length()).isEqualTo(count);
    if (series.length == 0) {
      return; // nothing beside nothing is ever read
    }
    int missing = 0;
    double[] cells = (double[]) halo.cells();
    for (int i = 0; i < count; i++) {
      long source = boundary.sourceIndex(first + i, series.length);
      boolean there = halo.validity() == null || halo.validity()[i] == 1;
      if (source >= 0) {
        assertThat(there).isEqualTo(!nulls[(int) source]);
        assertThat(!there || cells[i] == series[(int) source]).isTrue();
      } else if (boundary.leavesMissing()) {
        missing++;
      } else {
        assertThat(cells[i]).isEqualTo(boundary.constant());
        assertThat(there).isTrue();
      }
    }
    assertThat(halo.missing()).isEqualTo(missing);
  }
}
