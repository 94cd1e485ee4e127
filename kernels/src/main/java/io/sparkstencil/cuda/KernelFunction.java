/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;

/**
 * A kernel that can be launched, from PTX that the driver has compiled for its device. Launches are
 * safe for many threads.
 */
public final class KernelFunction extends DriverHandle {
  private static final int MAX_SHARED_CARVEOUT_PERCENT = 100;

  private final CUmodule module;
  private final CUfunction function = new CUfunction();

  /** Takes over the module. */
  KernelFunction(PrimaryContext context, CUmodule module, String entryName) {
    super(context);
    this.module = module;
    try {
      context.call(
          this,
          "cuModuleGetFunction",
          driver -> driver.moduleGetFunction(function, module, entryName));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Returns the bytes of local memory of one thread: above 0, registers were spilled. */
  public int localBytes() {
    return get(CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  }

  /** Returns the registers of one thread. */
  public int registers() {
    return get(CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS);
  }

  private int get(int attribute) {
    int[] value = new int[1];
    context.call(
        this, "cuFuncGetAttribute", driver -> driver.funcGetAttribute(value, attribute, function));
    return value[0];
  }

  /** Allows launches with up to {@code bytes} of dynamic shared memory; needed above 48 KiB. */
  public void allowSharedBytes(int bytes) {
    set(CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  }

  /**
   * Asks for as much of the combined L1 cache as possible as shared memory. The driver by itself
   * gives some kernels less, which slows them down.
   */
  public void preferSharedMemory() {
    set(
        CUfunction_attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
        MAX_SHARED_CARVEOUT_PERCENT);
  }

  private void set(int attribute, int value) {
    context.call(
        this, "cuFuncSetAttribute", driver -> driver.funcSetAttribute(function, attribute, value));
  }

  /** Returns how many blocks one multiprocessor runs at once, by the driver's own count. */
  public int blocksPerMultiprocessor(int threads, int dynamicSharedBytes) {
    int[] blocks = new int[1];
    context.call(
        this,
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
    LaunchSlots slots = stream.launchSlots();
    context.call(
        this,
        "cuLaunchKernel",
        driver -> driver.launchKernel(function, shape, stream.stream, slots, args));
  }

  @Override
  int free(DriverCalls driver) {
    return driver.moduleUnload(module);
  }
}
