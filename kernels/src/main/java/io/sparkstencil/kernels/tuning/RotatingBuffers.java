/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.launch.LaunchArguments;
import java.util.ArrayList;
import java.util.List;

/**
 * Device memory for cells and results, in several copies that launches take in turn, so that none
 * finds in the cache what the last one read or wrote.
 */
public final class RotatingBuffers implements AutoCloseable {
  private final CloseScope owned = new CloseScope();
  private final List<DeviceBuffer> inputs = new ArrayList<>();
  private final List<DeviceBuffer> outputs = new ArrayList<>();
  private final long bytes;

  /**
   * Takes memory.
   *
   * @param inputCount inputs to take in turn
   * @param outputCount outputs to take in turn
   * @param bytes of each of them
   */
  public RotatingBuffers(PrimaryContext context, int inputCount, int outputCount, long bytes) {
    this.bytes = bytes;
    try {
      for (int i = 0; i < inputCount; i++) {
        inputs.add(owned.add(context.allocateDevice(bytes)));
      }
      for (int i = 0; i < outputCount; i++) {
        outputs.add(owned.add(context.allocateDevice(bytes)));
      }
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  /** Returns the device address that launch number {@code launch} reads. */
  public long input(int launch) {
    return inputs.get(launch % inputs.size()).address();
  }

  /** Returns the device address that launch number {@code launch} writes. */
  public long output(int launch) {
    return outputs.get(launch % outputs.size()).address();
  }

  /** Returns {@code arguments} with what launch number {@code launch} reads and writes. */
  public LaunchArguments turn(LaunchArguments arguments, int launch) {
    return arguments
        .set(KernelParameter.INPUT, input(launch))
        .set(KernelParameter.OUTPUT, output(launch));
  }

  /** Sets all bytes of all inputs to {@code value}. */
  public void fillInputs(CudaStream stream, byte value) {
    inputs.forEach(buffer -> stream.fill(buffer.address(), bytes, value));
  }

  /** Sets all bytes of all outputs to {@code value}. */
  public void fillOutputs(CudaStream stream, byte value) {
    outputs.forEach(buffer -> stream.fill(buffer.address(), bytes, value));
  }

  @Override
  public void close() {
    owned.close();
  }
}
