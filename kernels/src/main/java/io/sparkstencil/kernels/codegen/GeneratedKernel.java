/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * PTX text and what launching it needs.
 *
 * @param entryName the kernel in the module
 * @param ptx the text of the module
 * @param threadsPerBlock threads of a block, always launched in full
 * @param outputsPerBlock outputs of a block at a time; the grid has at most {@code ceil(positions /
 *     outputsPerBlock)} blocks
 * @param staticSharedBytes shared memory declared in the text
 * @param dynamicSharedBytes shared memory to ask for at launch, beyond 48 KiB by opt-in
 * @param parameters the arguments in order
 * @param takesTurns whether a block takes further outputs in turn with the others of its grid, so
 *     that there need be no more blocks than run at the same time
 * @param weights what to upload for {@link KernelParameter#WEIGHTS}: cells of the element type in
 *     native byte order, in whole units of 16 bytes; else null; borrowed, not to be changed
 */
public record GeneratedKernel(
    String entryName,
    String ptx,
    int threadsPerBlock,
    int outputsPerBlock,
    int staticSharedBytes,
    int dynamicSharedBytes,
    List<KernelParameter> parameters,
    boolean takesTurns,
    ByteBuffer weights) {
  /** Copies the list. */
  public GeneratedKernel {
    parameters = List.copyOf(parameters);
  }

  /** A kernel each of whose blocks has its own outputs alone. */
  public GeneratedKernel(
      String entryName,
      String ptx,
      int threadsPerBlock,
      int outputsPerBlock,
      int staticSharedBytes,
      int dynamicSharedBytes,
      List<KernelParameter> parameters,
      ByteBuffer weights) {
    this(
        entryName,
        ptx,
        threadsPerBlock,
        outputsPerBlock,
        staticSharedBytes,
        dynamicSharedBytes,
        parameters,
        false,
        weights);
  }

  /** Returns the blocks that write {@code positions} outputs if none takes turns. */
  public int blocks(int positions) {
    return Math.toIntExact(((long) positions + outputsPerBlock - 1) / outputsPerBlock);
  }
}
