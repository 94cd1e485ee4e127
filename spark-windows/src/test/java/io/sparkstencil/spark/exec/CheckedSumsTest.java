/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CheckedSumsTest {
  private static final BigInteger LOWEST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger HIGHEST = BigInteger.valueOf(Long.MAX_VALUE);

  private static StencilSpec sum(int preceding, int following, Boundary boundary) {
    return new StencilSpec(
        Stencil.sum(Frame.offsets(-preceding, following)).withBoundary(boundary), ElementType.I64);
  }

  @Test
  void findsThePrefixThatOverflowsWhereTheWholeSumDoesNot() {
    long[] cells = {Long.MAX_VALUE, 1, -5};
    boolean[] overflows =
        CheckedSums.overflows(
            Segment.series(null, cells, 1), sum(1, 1, Boundary.SHRINK), 0, cells.length);
    assertThat(overflows).containsExactly(true, true, false);
  }

  @Test
  void looksNoFurtherWhereTheLargestCellTimesTheWidthFits() {
    long[] cells = {Long.MAX_VALUE / 3, -Long.MAX_VALUE / 3, Long.MAX_VALUE / 3};
    assertThat(
            CheckedSums.overflows(
                Segment.series(null, cells, 1), sum(1, 1, Boundary.NEAREST), 0, 3))
        .isNull();
  }

  @Test
  void leavesNullsOutWhateverLiesUnderThem() {
    long[] cells = {Long.MAX_VALUE, Long.MAX_VALUE, -1};
    Segment<Void> segment = new Segment<>(null, cells, new byte[] {1, 0, 1}, 0, 3, null, null, 1);
    assertThat(CheckedSums.overflows(segment, sum(1, 1, Boundary.SHRINK), 0, 3)).isNull();
  }

  @Test
  void agreesWithUnlimitedIntegersForEveryBoundaryFrameAndHalo() {
    Random random = new Random(5);
    Boundary[] boundaries = {
      Boundary.SHRINK,
      Boundary.NEAREST,
      Boundary.REFLECT,
      Boundary.MIRROR,
      Boundary.WRAP,
      Boundary.constant(0x1p62)
    };
    int found = 0;
    for (int round = 0; round < 2000; round++) {
      long[] cells = new long[1 + random.nextInt(12)];
      byte[] validity = random.nextBoolean() ? new byte[cells.length] : null;
      for (int i = 0; i < cells.length; i++) {
        cells[i] = random.nextLong() >> random.nextInt(4);
        if (validity != null) {
          validity[i] = (byte) (random.nextInt(4) == 0 ? 0 : 1);
        }
      }
      int preceding = random.nextInt(5) - 1;
      int following = Math.max(-preceding, random.nextInt(5) - 1);
      Boundary boundary = boundaries[random.nextInt(boundaries.length)];
      StencilSpec spec = sum(preceding, following, boundary);
      int cut = random.nextInt(cells.length);
      // The second half as a segment of its own, the first as its halo, where the rule allows it.
      boolean halved = cut >= spec.frame().left() && boundary.equals(Boundary.SHRINK);
      Halo left =
          halved ? halo(cells, validity, cut - spec.frame().left(), spec.frame().left()) : null;
      int from = halved ? cut : 0;
      int count = cells.length - from;
      Segment<Void> segment = new Segment<>(null, cells, validity, from, count, left, null, 1);
      int skip = random.nextInt(count);
      boolean[] overflows = CheckedSums.overflows(segment, spec, skip, count - skip);
      for (int i = skip; i < count; i++) {
        boolean expected = leavesRange(cells, validity, from + i, spec);
        assertThat(overflows != null && overflows[i - skip])
            .as("round %d, output %d of %s", round, i, spec)
            .isEqualTo(expected);
        found += expected ? 1 : 0;
      }
    }
    assertThat(found).isGreaterThan(500);
  }

  private static Halo halo(long[] cells, byte[] validity, int from, int count) {
    return new Halo(
        java.util.Arrays.copyOfRange(cells, from, from + count),
        validity == null ? null : java.util.Arrays.copyOfRange(validity, from, from + count),
        0);
  }

  private static boolean leavesRange(long[] cells, byte[] validity, int at, StencilSpec spec) {
    BigInteger sum = BigInteger.ZERO;
    for (int i = at - spec.frame().preceding(); i <= at + spec.frame().following(); i++) {
      boolean inside = i >= 0 && i < cells.length;
      long cell = 0;
      if (inside) {
        cell = validity == null || validity[i] != 0 ? cells[i] : 0;
      } else if (spec.boundary().copiesCells()) {
        int source = (int) spec.boundary().sourceIndex(i, cells.length);
        cell = validity == null || validity[source] != 0 ? cells[source] : 0;
      } else if (spec.boundary().mode() == Boundary.Mode.CONSTANT) {
        cell = (long) spec.boundary().constant();
      }
      sum = sum.add(BigInteger.valueOf(cell));
      if (sum.compareTo(LOWEST) < 0 || sum.compareTo(HIGHEST) > 0) {
        return true;
      }
    }
    return false;
  }
}
