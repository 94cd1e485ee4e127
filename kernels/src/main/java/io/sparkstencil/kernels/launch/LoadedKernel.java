/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.launch;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.KernelFunction;
import io.sparkstencil.cuda.LaunchShape;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import java.nio.ByteBuffer;

/**
 * A generated kernel on a device, with its weights. Who loads it closes it: a {@link KernelCache}
 * those that it returns. Safe for many threads.
 */
public final class LoadedKernel implements AutoCloseable {
  /** Blocks get more shared memory than this only by opting in. */
  private static final int SHARED_BYTES_WITHOUT_OPT_IN = 48 * 1024;

  private final GeneratedKernel generated;
  private final CloseScope owned = new CloseScope();
  private final KernelFunction function;
  private final DeviceBuffer weights; // or null
  private final int mostBlocks;

  /**
   * Compiles and loads a kernel, with as much shared memory as its blocks need.
   *
   * @throws io.sparkstencil.error.KernelCompilationException if the driver refuses it
   */
  public LoadedKernel(PrimaryContext context, GeneratedKernel generated) {
    this.generated = generated;
    this.function = owned.add(context.loadKernel(generated.entryName(), generated.ptx()));
    try {
      int sharedBytes = generated.staticSharedBytes() + generated.dynamicSharedBytes();
      if (sharedBytes > 0) {
        function.preferSharedMemory();
      }
      if (sharedBytes > SHARED_BYTES_WITHOUT_OPT_IN) {
        function.allowSharedBytes(generated.dynamicSharedBytes());
      }
      this.mostBlocks =
          generated.takesTurns() ? Math.max(1, residentBlocks(context)) : Integer.MAX_VALUE;
      this.weights =
          generated.weights() == null ? null : owned.add(upload(context, generated.weights()));
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  /** Returns the blocks that the device of a context runs at the same time. */
  public int residentBlocks(PrimaryContext context) {
    return context.traits().multiprocessors() * blocksPerMultiprocessor();
  }

  /** Returns how many blocks one multiprocessor runs at the same time. */
  public int blocksPerMultiprocessor() {
    return function.blocksPerMultiprocessor(
        generated.threadsPerBlock(), generated.dynamicSharedBytes());
  }

  private static DeviceBuffer upload(PrimaryContext context, ByteBuffer weights) {
    int bytes = weights.remaining();
    DeviceBuffer target = context.allocateDevice(bytes);
    try (PinnedBuffer staged = context.allocatePinned(bytes);
        CudaStream stream = context.newStream()) {
      staged.view(0, bytes).put(weights.duplicate());
      stream.copyIn(staged, bytes, target.address());
      stream.synchronize();
      return target;
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
  }

  /** Returns what was loaded. */
  public GeneratedKernel generated() {
    return generated;
  }

  /** Returns the driver's view of the kernel: local memory, resident blocks. */
  public KernelFunction function() {
    return function;
  }

  /** Launches as many blocks as {@code outputs} need, or as can take turns. */
  public void launch(CudaStream stream, int outputs, LaunchArguments arguments) {
    launch(stream, Math.min(generated.blocks(outputs), mostBlocks), 1, arguments);
  }

  /** Launches a grid of two dimensions. */
  public void launch(CudaStream stream, int blocks, int blocksY, LaunchArguments arguments) {
    if (weights != null) {
      arguments.set(KernelParameter.WEIGHTS, weights.address());
    }
    LaunchShape shape =
        new LaunchShape(
            blocks, blocksY, generated.threadsPerBlock(), generated.dynamicSharedBytes());
    function.launch(stream, shape, arguments.inOrder(generated.parameters()));
  }

  /** Unloads the kernel, which must not be running. */
  @Override
  public void close() {
    owned.close();
  }
}
