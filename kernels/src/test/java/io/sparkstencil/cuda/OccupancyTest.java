/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Worked examples: by hand from the allocation rules, and NVIDIA's textbook ones. */
class OccupancyTest {
  private static MultiprocessorLimits limits(int major, int minor) {
    return KnownLimits.of(new ComputeCapability(major, minor)).orElseThrow();
  }

  /** The textbook divides registers evenly; a register count that fills whole units does so too. */
  @ParameterizedTest
  @CsvSource({"128, 13, 0.8125", "320, 5, 0.78125"})
  void textbookFiguresWithoutRoundingRegistersPerWarp(int threads, int blocks, double fraction) {
    int registers = 37;
    MultiprocessorLimits volta = limits(7, 0);
    int byDivision = volta.registers() / (registers * threads);
    assertThat(byDivision).isEqualTo(blocks);
    assertThat(byDivision * threads / 32.0 / volta.maxWarps()).isEqualTo(fraction);
  }

  /** 37 registers are 1184 per warp, given as 1280: 12 warps in each of 4 parts. */
  @ParameterizedTest
  @CsvSource({"128, 12, 0.75", "320, 4, 0.625"})
  void realFiguresRoundRegistersUpPerWarp(int threads, int blocks, double fraction) {
    Occupancy occupancy = Occupancy.of(limits(7, 0), threads, 37, 0);
    assertThat(occupancy.blocksPerMultiprocessor()).isEqualTo(blocks);
    assertThat(occupancy.fraction()).isEqualTo(fraction);
    assertThat(occupancy.limitedBy()).isEqualTo(Occupancy.Limit.REGISTERS);
  }

  @ParameterizedTest
  @CsvSource({
    // capability, threads, registers, shared bytes, blocks, limit
    "7, 0, 256, 32, 0, 8, WARPS",
    "7, 0, 32, 32, 0, 32, BLOCKS",
    "7, 0, 256, 32, 49152, 2, SHARED_MEMORY",
    "7, 5, 256, 32, 0, 4, WARPS",
    "7, 5, 32, 64, 0, 16, BLOCKS",
    "7, 5, 128, 40, 16384, 4, SHARED_MEMORY",
    "8, 0, 128, 32, 0, 16, WARPS",
    "8, 0, 128, 255, 0, 2, REGISTERS",
    "8, 0, 128, 32, 9216, 16, WARPS",
    "8, 0, 128, 32, 16384, 9, SHARED_MEMORY",
    "8, 6, 256, 32, 0, 6, WARPS",
    "8, 6, 1024, 32, 0, 1, WARPS",
    "8, 6, 64, 40, 0, 16, BLOCKS",
    "8, 6, 128, 40, 49152, 2, SHARED_MEMORY",
    "8, 9, 64, 40, 0, 24, WARPS",
    "8, 9, 32, 40, 0, 24, BLOCKS",
    "9, 0, 256, 48, 0, 5, REGISTERS",
    "9, 0, 128, 64, 0, 8, REGISTERS",
    "9, 0, 128, 32, 17408, 12, SHARED_MEMORY",
    "10, 0, 1024, 32, 0, 2, WARPS",
    "10, 0, 512, 128, 0, 1, REGISTERS",
  })
  void allocationRulesOfEachCapability(
      int major,
      int minor,
      int threads,
      int registers,
      int sharedBytes,
      int blocks,
      Occupancy.Limit limit) {
    Occupancy occupancy = Occupancy.of(limits(major, minor), threads, registers, sharedBytes);
    assertThat(occupancy.blocksPerMultiprocessor()).isEqualTo(blocks);
    assertThat(occupancy.limitedBy()).isEqualTo(limit);
    assertThat(occupancy.warpsPerMultiprocessor()).isEqualTo(blocks * threads / 32);
  }

  @Test
  void aBlockThatDoesNotFitHasNoOccupancy() {
    assertThat(Occupancy.of(limits(9, 0), 1024, 255, 0).blocksPerMultiprocessor()).isZero();
    assertThat(Occupancy.of(limits(7, 5), 128, 32, 70_000).fraction()).isZero();
  }

  @Test
  void aPartOfAWarpCountsAsAWarp() {
    assertThat(Occupancy.of(limits(9, 0), 33, 32, 0))
        .isEqualTo(Occupancy.of(limits(9, 0), 64, 32, 0));
  }

  @Test
  void anUnknownCapabilityHasNoFigures() {
    assertThat(KnownLimits.of(new ComputeCapability(6, 0))).isEmpty();
  }
}
