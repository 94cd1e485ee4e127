/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.engine.DeviceCosts;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostModelTest {
  private static PartitionWork mean(int radius, long cells, int steps) {
    return new PartitionWork(
        List.of(new StencilSpec(Stencil.mean(Frame.radius(radius)), ElementType.F32)),
        cells,
        steps);
  }

  private static boolean onDevice(PartitionWork work) {
    return CostModel.prefersDevice(work, CostModel.Rates.DEVICE, 1, 1);
  }

  private static double perCell(CostModel.Rates rates, int radius) {
    return CostModel.nanos(rates, mean(radius, 1 << 24, 1), 1 << 24) / (1 << 24);
  }

  @Test
  void estimatesTheHostAsItWasMeasured() {
    // 16 cores did 9.0, 8.6 and 5.1 G cells/s for k = 1, 8, 32: 1.8, 1.9, 3.1 ns a cell each.
    assertThat(perCell(CostModel.Rates.HOST, 1)).isCloseTo(1.8, within(0.1));
    assertThat(perCell(CostModel.Rates.HOST, 8)).isCloseTo(1.9, within(0.3));
    assertThat(perCell(CostModel.Rates.HOST, 32)).isCloseTo(3.1, within(0.1));
    // 16 tasks together moved 9.6 G cells/s, whatever the frame.
    assertThat(perCell(CostModel.Rates.DEVICE, 8)).isCloseTo(1.7, within(0.1));
  }

  @Test
  void keepsSmallPartitionsOnTheHost() {
    assertThat(onDevice(mean(1, 1_000, 1))).isFalse();
    assertThat(onDevice(mean(8, 0, 1))).isFalse();
    assertThat(onDevice(mean(8, 1 << 20, 1))).isTrue();
    assertThat(onDevice(mean(1, PartitionWork.UNKNOWN_CELLS, 1))).isTrue();
  }

  @Test
  void tapsStepsAndStencilsMakeTheDeviceWorthwhile() {
    assertThat(onDevice(mean(1, 500_000, 1))).isFalse();
    assertThat(onDevice(mean(64, 500_000, 1))).isTrue();
    assertThat(onDevice(mean(1, 50_000, 100))).isTrue();
    StencilSpec one = new StencilSpec(Stencil.mean(Frame.radius(8)), ElementType.F32);
    assertThat(onDevice(new PartitionWork(List.of(one), 500_000, 1))).isFalse();
    assertThat(onDevice(new PartitionWork(List.of(one, one, one, one), 500_000, 1))).isTrue();
  }

  @Test
  void reductionsOfConstantCostDoNotCountTheirFrame() {
    StencilSpec min = new StencilSpec(Stencil.min(Frame.radius(500)), ElementType.F32);
    StencilSpec fast =
        new StencilSpec(
            Stencil.mean(Frame.radius(500)).withAccuracy(Accuracy.FAST), ElementType.F32);
    StencilSpec exact = new StencilSpec(Stencil.mean(Frame.radius(500)), ElementType.F32);
    assertThat(CostModel.taps(PartitionWork.of(List.of(min)))).isEqualTo(6);
    assertThat(CostModel.taps(PartitionWork.of(List.of(fast)))).isEqualTo(6);
    assertThat(CostModel.taps(PartitionWork.of(List.of(exact, min)))).isEqualTo(1007);
  }

  @Test
  void followsMeasuredRates() {
    PartitionWork work = mean(8, 1 << 20, 1);
    assertThat(CostModel.prefersDevice(work, CostModel.Rates.DEVICE, 1, 1)).isTrue();
    assertThat(CostModel.prefersDevice(work, CostModel.Rates.DEVICE, 1, 4)).isFalse();
    assertThat(CostModel.prefersDevice(work, CostModel.Rates.DEVICE, 0.25, 1)).isFalse();
  }

  @Test
  void followsTheLinkAndTheLaunchesOfTheDevice() {
    CostModel.Rates same = CostModel.Rates.of(new DeviceCosts(101e9, 4.1e-6));
    assertThat(same).isEqualTo(CostModel.Rates.DEVICE);
    assertThat(CostModel.Rates.of(DeviceCosts.UNKNOWN)).isEqualTo(CostModel.Rates.DEVICE);
    PartitionWork work = mean(8, 1 << 20, 1);
    assertThat(CostModel.prefersDevice(work, same, 1, 1)).isTrue();
    CostModel.Rates narrow = CostModel.Rates.of(new DeviceCosts(24e9, 4.1e-6));
    assertThat(narrow.perByte()).isCloseTo(16 / 24.0, within(1e-9));
    assertThat(CostModel.prefersDevice(work, narrow, 1, 1)).isFalse();
    CostModel.Rates slowToStart = CostModel.Rates.of(new DeviceCosts(101e9, 1e-3));
    assertThat(CostModel.prefersDevice(work, slowToStart, 1, 1)).isFalse();
  }

  @Test
  void plansSayFromHowManyRowsOnTheDeviceIsFaster() {
    PartitionWork work = mean(8, PartitionWork.UNKNOWN_CELLS, 1);
    long fewest = CostModel.fewestCellsForDevice(work);
    assertThat(onDevice(mean(8, fewest + 1, 1))).isTrue();
    assertThat(onDevice(mean(8, fewest - 1, 1))).isFalse();
    assertThat(CostModel.forecast("auto", List.of(work.specs())))
        .contains("for 17 taps in F32 from %,d rows of a partition on".formatted(fewest));
    StencilSpec count = new StencilSpec(Stencil.count(Frame.radius(3)), ElementType.F64);
    assertThat(CostModel.forecast("auto", List.of(List.of(count)))).contains("for 1 taps in F64");
    assertThat(CostModel.forecast("cpu", List.of(work.specs()))).isEqualTo("cpu, as requested");
  }

  @Test
  void thePlanSaysWhichEngineHasArraysOfWhichNobodyKnowsTheNumber() {
    PartitionWork work = mean(8, PartitionWork.UNKNOWN_CELLS, 3);
    String what = "for 17 taps in F32 and 3 steps, as estimated before anything is measured";
    assertThat(CostModel.forecast("auto", work))
        .isEqualTo("auto: a GPU, where the executor has one, " + what + "; else the CPU");
    CostModel.Rates slow = new CostModel.Rates(300_000, 20, 0, 0.0008);
    assertThat(CostModel.forecast("auto", work, slow))
        .isEqualTo("auto: the CPU, which is faster than a GPU " + what);
    assertThat(CostModel.forecast("gpu", work)).isEqualTo("gpu, as requested");
  }

  @Test
  void refusesWorkThatIsNone() {
    assertThatThrownBy(() -> new PartitionWork(List.of(), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> mean(1, -1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> mean(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ratesAreLearntFromLargePartitionsAndBounded() {
    CostModel.Correction rates = new CostModel.Correction();
    assertThat(rates.factor()).isEqualTo(1);
    rates.observe(1000, 1, 100);
    assertThat(rates.factor()).isEqualTo(1);
    rates.observe(1 << 20, 1e6, 2e6);
    assertThat(rates.factor()).isCloseTo(2, within(1e-9));
    for (int i = 0; i < 100; i++) {
      rates.observe(1 << 20, 1e6, 0.5e6);
    }
    assertThat(rates.factor()).isCloseTo(0.5, within(1e-3));
    for (int i = 0; i < 200; i++) {
      rates.observe(1 << 20, 1, 1e9);
    }
    assertThat(rates.factor()).isLessThanOrEqualTo(8.001);
  }

  @Test
  void deviceSortsManyRowsUnlessItsLinkIsSlow() {
    CostModel.Rates device = CostModel.Rates.DEVICE;
    assertThat(CostModel.prefersDeviceToSort(1_000_000, 3, 2, device)).isTrue();
    assertThat(CostModel.prefersDeviceToSort(1_000_000, 40, 38, device)).isTrue();
    assertThat(CostModel.prefersDeviceToSort(1_000, 3, 2, device)).isFalse();
    CostModel.Rates slow = new CostModel.Rates(300_000, 16, 0, 0);
    assertThat(CostModel.prefersDeviceToSort(1_000_000, 3, 2, slow)).isFalse();
  }
}
