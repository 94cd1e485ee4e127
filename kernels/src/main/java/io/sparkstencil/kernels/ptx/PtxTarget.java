/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

/**
 * Where PTX text may run: the lowest device and the lowest version of the language that it needs.
 * Drivers compile it for any later device.
 *
 * @param architecture compute capability as one number, 70 for 7.0
 * @param version PTX version as one number, 60 for 6.0
 * @see <a href="https://docs.nvidia.com/cuda/parallel-thread-execution/#release-notes">PTX release
 *     notes</a>
 */
public record PtxTarget(int architecture, int version) {
  /** Volta, CUDA 9.0: {@code shfl.sync} and {@code bar.warp.sync}. */
  public static final PtxTarget VOLTA = new PtxTarget(70, 60);

  /** Ampere, CUDA 11.0: {@code cp.async}. */
  public static final PtxTarget AMPERE = new PtxTarget(80, 70);

  /** Ampere, CUDA 11.4: cache policies of loads and asynchronous copies. */
  public static final PtxTarget AMPERE_POLICIES = new PtxTarget(80, 74);

  /** Hopper, CUDA 12.0: the bulk copy engine, {@code cp.async.bulk} with {@code mbarrier}. */
  public static final PtxTarget HOPPER = new PtxTarget(90, 80);

  /** Checks the components. */
  public PtxTarget {
    if (architecture < 70 || version < 60) {
      throw new IllegalArgumentException(
          "target sm_%d with PTX %d.%d is below sm_70 with PTX 6.0, the lowest that is generated"
              .formatted(architecture, version / 10, version % 10));
    }
  }

  /** Returns the operand of {@code .target}. */
  public String targetName() {
    return "sm_" + architecture;
  }

  /** Returns the operand of {@code .version}. */
  public String versionName() {
    return version / 10 + "." + version % 10;
  }

  @Override
  public String toString() {
    return targetName() + "/" + versionName();
  }
}
