/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;

/** A kernel that can be launched; lives as long as its module. Safe for many threads. */
public final class KernelFunction {
  private static final int MAX_SHARED_CARVEOUT_PERCENT = 100;

  private final CudaModule module;
  private final CUfunction function;
  private final String entryName;

  KernelFunction(CudaModule module, CUfunction function, String entryName) {
    this.module = module;
    this.function = function;
    this.entryName = entryName;
  }

  /** Returns the name of the kernel in its PTX. */
  public String entryName() {
    return entryName;
  }

  /** Returns the registers of one thread. */
  public int registers() {
    return attribute(CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS);
  }

  /** Returns the bytes of shared memory that the kernel itself declares. */
  public int staticSharedBytes() {
    return attribute(CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  }

  /** Returns the bytes of local memory of one thread: above 0, registers were spilled. */
  public int localBytes() {
    return attribute(CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  }

  private int attribute(int attribute) {
    int[] value = new int[1];
    module.context.call(
        module,
        "cuFuncGetAttribute",
        driver -> driver.funcGetAttribute(value, attribute, function));
    return value[0];
  }

  /** Allows launches with up to {@code bytes} of dynamic shared memory; needed above 48 KiB. */
  public void allowSharedBytes(int bytes) {
    module.context.call(
        module,
        "cuFuncSetAttribute",
        driver ->
            driver.funcSetAttribute(
                function,
                CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                bytes));
  }

  /**
   * Asks for as much of the combined L1 cache as possible as shared memory. The driver by itself
   * gives some kernels less, which slows them down.
   */
  public void preferSharedMemory() {
    module.context.call(
        module,
        "cuFuncSetAttribute",
        driver ->
            driver.funcSetAttribute(
                function,
                CUfunction_attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                MAX_SHARED_CARVEOUT_PERCENT));
  }

  /** Returns how many blocks one multiprocessor runs at once, by the driver's own count. */
  public int blocksPerMultiprocessor(int threads, int dynamicSharedBytes) {
    int[] blocks = new int[1];
    module.context.call(
        module,
        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
        driver -> driver.occupancyMaxActiveBlocks(blocks, function, threads, dynamicSharedBytes));
    return blocks[0];
  }

  /**
   * Launches a grid of blocks of threads.
   *
   * @param args one 8-byte slot per parameter; a 4-byte parameter takes the low half of its slot
   */
  public void launch(CudaStream stream, LaunchShape shape, long... args) {
    stream.requireOpen();
    module.context.call(
        module,
        "cuLaunchKernel",
        driver -> driver.launchKernel(function, shape, stream.stream, args));
  }

  @Override
  public String toString() {
    return entryName;
  }
}
