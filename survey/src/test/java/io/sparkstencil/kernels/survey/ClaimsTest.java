/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import static io.sparkstencil.survey.Claim.Verdict.NO;
import static io.sparkstencil.survey.Claim.Verdict.PARTLY;
import static io.sparkstencil.survey.Claim.Verdict.YES;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Measured;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Published figures hold on the devices that they are of, and not on others. */
class ClaimsTest {
  private static final int[] RADII = {2, 5};

  @Test
  void theProductsOfAVoltaConfirmTheTextbook() {
    double[] volta = {119.9, 144.4, 195.5, 12.8, 140.2, 199.4};

    assertThat(BanksExperiment.tileClaim(volta).verdict()).isEqualTo(YES);
    assertThat(BanksExperiment.paddingClaim(volta).verdict()).isEqualTo(YES);
    assertThat(BanksExperiment.paddingClaim(volta).here())
        .isEqualTo("11.0 times, and 1.42 times by padding");
  }

  @Test
  void withoutAGainTilesAreRefuted() {
    double[] flat = {200, 190, 195, 100, 110, 115};

    assertThat(BanksExperiment.tileClaim(flat).verdict()).isEqualTo(NO);
    assertThat(BanksExperiment.paddingClaim(flat).verdict()).isEqualTo(NO);
  }

  /** 2.507 to 2.249 ms at k = 2 and 2.634 to 2.808 ms at k = 5. */
  @Test
  void theRegisterCacheOfAnAmpereHoldsInPart() {
    double[] ratios = {2.507 / 2.249, 2.634 / 2.808};

    assertThat(StencilExperiment.beatsClaim(RADII, ratios).verdict()).isEqualTo(PARTLY);
    assertThat(StencilExperiment.beatsClaim(RADII, ratios).here())
        .isEqualTo("0.94 to 1.11 times the shared-memory kernel");
    assertThat(StencilExperiment.crossover(RADII, ratios)).endsWith("faster for k = 2");
  }

  @Test
  void theRegisterCacheWinsOrLosesEverywhere() {
    assertThat(StencilExperiment.beatsClaim(RADII, new double[] {1.2, 1.1}).verdict())
        .isEqualTo(YES);
    assertThat(StencilExperiment.crossover(RADII, new double[] {1.2, 1.1})).endsWith("every k");
    assertThat(StencilExperiment.beatsClaim(RADII, new double[] {0.9, 0.8}).verdict())
        .isEqualTo(NO);
    assertThat(StencilExperiment.crossover(RADII, new double[] {0.9, 0.8})).endsWith("no k");
  }

  @Test
  void coarseningIsJudgedByItsBest() {
    assertThat(StencilExperiment.coarseningClaim(1.9).verdict()).isEqualTo(YES);
    assertThat(StencilExperiment.coarseningClaim(1.3).verdict()).isEqualTo(PARTLY);
    assertThat(StencilExperiment.coarseningClaim(0.9).verdict()).isEqualTo(NO);
    assertThat(StencilExperiment.spillClaim(64, 0.8, 1.2).verdict()).isEqualTo(YES);
    assertThat(StencilExperiment.spillClaim(0, 0.8, 1.2).verdict()).isEqualTo(PARTLY);
    assertThat(StencilExperiment.spillClaim(0, 1.2, 1.2).verdict()).isEqualTo(NO);
  }

  @Test
  void offsetsAndStridesOfAVoltaConfirmTheTextbook() {
    assertThat(CoalescingExperiment.offsetClaim(0.9).verdict()).isEqualTo(YES);
    assertThat(CoalescingExperiment.offsetClaim(0.99).verdict()).isEqualTo(PARTLY);
    assertThat(CoalescingExperiment.offsetClaim(0.5).verdict()).isEqualTo(NO);
    assertThat(CoalescingExperiment.strideClaim(0.5).verdict()).isEqualTo(YES);
    assertThat(CoalescingExperiment.strideClaim(0.9).verdict()).isEqualTo(NO);
  }

  @Test
  void theWorstOffsetIsOneThatSplitsSectors() {
    Curve curve = new Curve("plain", List.of(at(0, 800), at(4, 720), at(8, 600)));

    assertThat(CoalescingExperiment.worstOffset(curve)).isEqualTo(0.9);
  }

  private static Measured at(double x, double y) {
    return new Measured(x, y, Double.NaN, 0, 1, "");
  }

  @Test
  void windowsOfAnAmpereConfirmTheTextbook() {
    assertThat(CacheWindowExperiment.fitClaim(1.5).verdict()).isEqualTo(YES);
    assertThat(CacheWindowExperiment.fitClaim(1.01).verdict()).isEqualTo(NO);
    assertThat(CacheWindowExperiment.beyondClaim(0.9).verdict()).isEqualTo(YES);
    assertThat(CacheWindowExperiment.beyondClaim(1.1).verdict()).isEqualTo(NO);
    assertThat(CacheWindowExperiment.tunedClaim(1.0).verdict()).isEqualTo(YES);
    assertThat(CacheWindowExperiment.tunedClaim(0.9).verdict()).isEqualTo(NO);
  }

  @Test
  void constantsOfAnAmpereConfirmTheTextbook() {
    assertThat(CoefficientsExperiment.nearClaim(0.4209 / 0.4036).verdict()).isEqualTo(YES);
    assertThat(CoefficientsExperiment.nearClaim(0.96).verdict()).isEqualTo(PARTLY);
    assertThat(CoefficientsExperiment.nearClaim(1.5).verdict()).isEqualTo(NO);
    assertThat(CoefficientsExperiment.divergentClaim(9).verdict()).isEqualTo(YES);
    assertThat(CoefficientsExperiment.divergentClaim(1).verdict()).isEqualTo(NO);
  }

  @Test
  void otherClaimsHaveTheirFigures() {
    assertThat(LimitsExperiment.copyClaim(0.86).here()).isEqualTo("86 % of the bus");
    assertThat(LimitsExperiment.copyClaim(0.5).verdict()).isEqualTo(NO);
    assertThat(LimitsExperiment.shuffleClaim(1).verdict()).isEqualTo(YES);
    assertThat(AsyncCopyExperiment.gainClaim(1.2).verdict()).isEqualTo(YES);
    assertThat(AsyncCopyExperiment.gainClaim(1).verdict()).isEqualTo(PARTLY);
    assertThat(AsyncCopyExperiment.widthClaim(100, 150, 160).verdict()).isEqualTo(YES);
    assertThat(LocalMemoryExperiment.spillClaim(1, 5).verdict()).isEqualTo(PARTLY);
    assertThat(TensorCoreExperiment.rateClaim(2).verdict()).isEqualTo(YES);
    assertThat(TensorCoreExperiment.rateClaim(1.2).verdict()).isEqualTo(PARTLY);
    assertThat(TensorCoreExperiment.rateClaim(1).verdict()).isEqualTo(NO);
    assertThat(TensorCoreExperiment.bitsClaim(Optional.of("5 of 6")).here()).isEqualTo("5 of 6");
    assertThat(TensorCoreExperiment.bitsClaim(Optional.empty()).verdict()).isEqualTo(YES);
    assertThat(OccupancyExperiment.enoughClaim(0.25).verdict()).isEqualTo(YES);
    assertThat(OccupancyExperiment.enoughClaim(1).verdict()).isEqualTo(NO);
    assertThat(OccupancyExperiment.countClaim(19, 20).verdict()).isEqualTo(PARTLY);
    assertThat(ConcurrencyExperiment.streamsClaim(30, 32).verdict()).isEqualTo(YES);
    assertThat(ConcurrencyExperiment.overlapClaim(1).verdict()).isEqualTo(NO);
  }
}
