/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.DeviceLimits;
import io.sparkstencil.kernels.codegen.survey.FirKernel.Placement;
import io.sparkstencil.kernels.codegen.survey.ProductKernel.Form;
import io.sparkstencil.kernels.codegen.survey.SharedLoadKernel.Layout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What experiments predict, against figures of the textbooks. */
class PredictionsTest {
  private static final DeviceLimits VOLTA =
      new DeviceLimits(6 << 20, 0, 96 << 10, 65_536, 877_000, 4096);
  private static final DeviceLimits HOPPER =
      new DeviceLimits(60 << 20, 37 << 20, 228 << 10, 65_536, 3_201_000, 6144);

  private static CudaDevice device(int capability) {
    return new CudaDevice(
        "device", 0, "0000:00:00.0", "GPU-0", 12_040, 16L << 30, capability, 80, 2048, 96 << 10);
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 4", "1, 1, 5", "8, 1, 4", "31, 1, 5", "0, 2, 8", "0, 8, 32", "0, 32, 32"})
  void aWarpTouchesSectors(int offset, int stride, int sectors) {
    assertThat(CoalescingExperiment.sectors(offset, stride)).isEqualTo(sectors);
  }

  @ParameterizedTest
  @CsvSource({
    "1, PLAIN, 1",
    "2, PLAIN, 2",
    "3, PLAIN, 1",
    "16, PLAIN, 16",
    "32, PLAIN, 32",
    "32, PADDED, 1",
    "32, SWIZZLED, 1",
    "16, SWIZZLED, 1",
    "2, PADDED, 1"
  })
  void lanesConflictInBanks(int stride, Layout layout, int conflicts) {
    assertThat(BanksExperiment.conflicts(stride, layout)).isEqualTo(conflicts);
  }

  @Test
  void aTransposeWithoutTilesWantsSixteenTimesTheRequests() {
    assertThat(BanksExperiment.requests(Form.AAT_WITHOUT_TILE)).isEqualTo(1056);
    assertThat(BanksExperiment.requests(Form.AAT_TILES))
        .isGreaterThan(BanksExperiment.requests(Form.AAT_PADDED_TILES));
  }

  @Test
  void lanesThatDifferReadConstantsOneByOne() {
    assertThat(CoefficientsExperiment.requests(Placement.CONSTANT_DIVERGENT, 9)).isEqualTo(10);
    assertThat(CoefficientsExperiment.requests(Placement.CONSTANT_DIVERGENT, 65)).isEqualTo(33);
    assertThat(CoefficientsExperiment.requests(Placement.CONSTANT, 65)).isEqualTo(1);
  }

  /** The register cache's own figures: 34 loads for 32 outputs, and twice as many at k = 16. */
  @Test
  void warpsLoadCellsTwice() {
    assertThat(WindowSums.loadedPerOutput(3, 1)).isEqualTo(34.0 / 32);
    assertThat(WindowSums.loadedPerOutput(33, 1)).isEqualTo(2);
    assertThat(WindowSums.loadedPerOutput(33, 8)).isEqualTo(1.125);
  }

  /** With registers given to warps in runs, as of the Best Practices Guide for capability 7.0. */
  @ParameterizedTest
  @CsvSource({"37, 128, 12", "37, 320, 4", "32, 128, 16", "32, 1024, 2"})
  void registersLimitBlocks(int registers, int threads, int blocks) {
    assertThat(Occupancy.blocks(device(70), VOLTA, registers, threads, 0)).isEqualTo(blocks);
  }

  @Test
  void sharedMemoryLimitsBlocks() {
    assertThat(Occupancy.blocks(device(70), VOLTA, 16, 128, 48 << 10)).isEqualTo(2);
    assertThat(Occupancy.blocks(device(90), HOPPER, 16, 128, 113 << 10)).isEqualTo(2);
    assertThat(Occupancy.blocks(device(90), HOPPER, 16, 128, 114 << 10)).isEqualTo(1);
    assertThat(Occupancy.blocks(device(90), HOPPER, 16, 32, 0)).isEqualTo(32);
  }

  @Test
  void warpsReachMoreUntilMemoryIsBusy() {
    assertThat(OccupancyExperiment.predicted(8, 4, 1000, 4000)).isEqualTo(2000);
    assertThat(OccupancyExperiment.predicted(32, 4, 1000, 4000)).isEqualTo(4000);
  }

  @Test
  void theBusOfAnH200MovesItsSpecifiedRate() {
    assertThat(HOPPER.busRate()).isCloseTo(4917, within(1.0));
    assertThat(VOLTA.busRate()).isCloseTo(898, within(1.0));
    assertThat(new DeviceLimits(1, 0, 1, 1, 0, 0).busRate()).isNaN();
  }

  @Test
  void aWindowIsFreeWhereItFits() {
    assertThat(CacheWindowExperiment.predicted(10, 20, 4000)).isEqualTo(6000);
    assertThat(CacheWindowExperiment.predicted(40, 20, 4000)).isEqualTo(4800);
    assertThat(CacheWindowExperiment.predicted(40, 0, 4000)).isEqualTo(4000);
  }

  /** 20 MB of 60 MB, where 30 MB can be set aside, as on the A100 of the textbook. */
  @Test
  void aShareFitsWhatIsSetAside() {
    assertThat(CacheWindowExperiment.tunedPermille(60_000_000, 30_000_000)).isEqualTo(333);
    assertThat(CacheWindowExperiment.tunedPermille(10_000_000, 30_000_000)).isEqualTo(1000);
    assertThat(CacheWindowExperiment.setAside(HOPPER)).isEqualTo(37 << 20);
    assertThat(CacheWindowExperiment.setAside(VOLTA)).isEqualTo(6 << 20);
  }

  @Test
  void copiesHaveAStartAndARate() {
    double half = LinkMeasurements.predicted(1e6, 0.1, 1e9, 100.1);

    assertThat(half).isCloseTo(5, within(1e-9)); // as long as its start
    assertThat(LinkMeasurements.predicted(1e9, 0.1, 1e9, 100.1)).isCloseTo(10, within(0.1));
  }

  @Test
  void stagesOverlapButForTheFirstAndTheLastChunk() {
    assertThat(OverlapMeasurements.overlapped(4, 1, 3, 1)).isEqualTo(8);
    assertThat(OverlapMeasurements.overlapped(4, 1, 3, 4)).isEqualTo(5);
  }

  @Test
  void arraysOfThreadsFillTheFirstCache() {
    assertThat(LocalMemoryExperiment.fits(16, 2048, 228 << 10)).isTrue();
    assertThat(LocalMemoryExperiment.fits(32, 2048, 228 << 10)).isFalse();
  }
}
