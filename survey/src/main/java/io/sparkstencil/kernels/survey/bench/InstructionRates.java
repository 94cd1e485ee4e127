/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.variant.MatrixShape;

/**
 * What one multiprocessor does in one period of its clock, as its vendor states it.
 *
 * @see <a
 *     href="https://docs.nvidia.com/cuda/cuda-c-programming-guide/#arithmetic-instructions">Throughput
 *     of native arithmetic instructions</a>
 */
public final class InstructionRates {
  /** Lanes of a shuffle, and words of shared memory: one for each of 32 banks. */
  public static final int BANKS = 32;

  /** Cells that a multiprocessor fetches from textures in a period: it has four units. */
  public static final int TEXELS = 4;

  private static final int BANK_BYTES = 4;

  private InstructionRates() {}

  /**
   * Returns the lanes of an instruction that a multiprocessor runs in a period.
   *
   * @param capability the version of the instruction set as one number, 90 for 9.0
   * @return lanes; NaN for devices that are not in the table
   */
  public static double lanes(Operation operation, int capability) {
    return switch (operation) {
      case F32_ADD, F32_FMA ->
          switch (capability) {
            case 70, 72, 75, 80 -> 64;
            case 86, 87, 89, 90, 100, 120 -> 128;
            default -> Double.NaN;
          };
      case F64_ADD, F64_FMA ->
          switch (capability) {
            case 70, 72, 80 -> 32;
            case 75, 86, 87, 89, 120 -> 2;
            case 90, 100 -> 64;
            default -> Double.NaN;
          };
      case I32_ADD, I32_MAD ->
          switch (capability) {
            case 70, 72, 75, 80, 86, 87, 89, 90 -> 64;
            default -> Double.NaN;
          };
      case SHUFFLE -> BANKS;
    };
  }

  /**
   * Returns the multiply-adds of doubles that the tensor cores of a multiprocessor do in a period.
   *
   * @param capability the version of the instruction set as one number, 90 for 9.0
   * @return multiply-adds; NaN for devices that are not in the table
   */
  public static double matrixLanes(MatrixShape shape, int capability) {
    return switch (capability) {
      case 80 -> 64;
      // the smaller matrices at half the rate, which was measured
      case 90 -> shape == MatrixShape.EIGHT_ROWS ? 64 : 128;
      case 100 -> 64;
      default -> Double.NaN;
    };
  }

  /** Returns the bytes of shared memory that a multiprocessor loads in a period. */
  public static double sharedBytes() {
    return BANKS * BANK_BYTES;
  }
}
