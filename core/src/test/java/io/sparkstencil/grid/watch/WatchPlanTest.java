/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class WatchPlanTest {
  private static long[] looks(Diverging diverging, int stepsEach) {
    WatchPlan plan = WatchPlan.of(diverging, ElementType.F64, 1e150);
    return LongStream.iterate(0, first -> first < 3200, first -> first + stepsEach)
        .filter(first -> plan.isDue(first, stepsEach))
        .map(first -> first + stepsEach)
        .toArray();
  }

  @Test
  void looksAreLaterAndLater() {
    assertThat(looks(Diverging.STOP, 1)).containsExactly(100, 200, 400, 800, 1000, 2000, 3000);
  }

  @Test
  void aSuperstepThatPassesSeveralIsLookedAtOnce() {
    assertThat(looks(Diverging.WARN, 150)).containsExactly(150, 300, 450, 900, 1050, 2100, 3000);
    assertThat(looks(Diverging.STOP, 1600)).containsExactly(1600, 3200);
  }

  @Test
  void nobodyLooksWhereItIsIgnored() {
    assertThat(looks(Diverging.IGNORE, 1)).isEmpty();
  }
}
