/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.LaunchShape;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.tuning.LaunchTimer;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A kernel of several steps alone, without the slabs beside it that hold the boundary: what it
 * takes less is the cost of the boundary.
 */
final class EndsRows {
  private static final int SAMPLES = 7;
  private static final int LAUNCHES = 4;
  private static final int ALIGNMENT = 128;
  private static final long RANDOM_BYTES = 1 << 25;

  private final PrimaryContext context;

  EndsRows(PrimaryContext context) {
    this.context = context;
  }

  /**
   * Returns the rate of the kernel that takes some steps, over the cells inside, in thousands of
   * millions of cells and steps per second; nothing if there is no such kernel.
   */
  Optional<Double> insideAlone(MeasuredProgram what, int steps) {
    int unit = ALIGNMENT / what.type().bytes();
    List<Integer> sizes = what.extent().sizes();
    int row = sizes.get(sizes.size() - 1);
    FusedKernel.Layout layout = new FusedKernel.Layout(sizes, (row + unit - 1) / unit * unit);
    DeviceTraits traits =
        new DeviceTraits(context.traits().capability(), context.traits().sharedBytesPerBlock());
    return FusedKernels.candidates(ProgramTraits.of(what.program()), what.type(), layout, traits)
        .stream()
        .filter(kernel -> kernel.steps() == steps)
        .findFirst()
        .map(kernel -> rate(what, kernel, layout));
  }

  private double rate(MeasuredProgram what, FusedKernel kernel, FusedKernel.Layout layout) {
    GeneratedKernel text = kernel.generate();
    FusedKernel.Span inside = kernel.results(layout).orElseThrow();
    long cells = 1;
    long bytes = (long) layout.pitch() * what.type().bytes();
    for (int axis = 0; axis < layout.sizes().size(); axis++) {
      cells *= inside.high().get(axis) - inside.low().get(axis);
      bytes *= axis + 1 < layout.sizes().size() ? layout.sizes().get(axis) : 1;
    }
    int arrays = kernel.inputs().size() + kernel.outputs().size();
    try (LoadedKernel loaded = new LoadedKernel(context, text);
        DeviceBuffer memory = context.allocateDevice(arrays * bytes);
        CudaStream stream = context.newStream();
        LaunchTimer timer = new LaunchTimer(context, stream, SAMPLES, LAUNCHES)) {
      FusedKernel.Launch launch = kernel.launch(layout, inside, loaded.residentBlocks(context));
      LaunchShape shape =
          new LaunchShape(
              launch.blocks(), launch.blocksY(), text.threadsPerBlock(), text.dynamicSharedBytes());
      List<Long> arguments = new ArrayList<>();
      for (int array = 0; array < arrays; array++) {
        arguments.add(memory.address() + array * bytes);
      }
      launch.numbers().forEach(number -> arguments.add((long) number));
      long[] all = arguments.stream().mapToLong(Long::longValue).toArray();
      fill(what, stream, memory.address(), arrays * bytes);
      double millis = timer.time(ignored -> loaded.function().launch(stream, shape, all)).millis();
      return (double) cells * kernel.steps() / millis / 1e6;
    }
  }

  /** Random cells, as others would take less power and run at another clock. */
  private void fill(MeasuredProgram what, CudaStream stream, long address, long bytes) {
    try (PinnedBuffer host = context.allocatePinned(Math.min(RANDOM_BYTES, bytes))) {
      ByteBuffer view = host.view(0, Math.min(RANDOM_BYTES, bytes));
      for (int i = 0; view.hasRemaining(); i++) {
        if (what.type() == ElementType.F32) {
          view.putFloat((float) ProgramCells.at(0, i));
        } else {
          view.putDouble(ProgramCells.at(0, i));
        }
      }
      for (long at = 0; at < bytes; at += RANDOM_BYTES) {
        stream.copyIn(host, Math.min(RANDOM_BYTES, bytes - at), address + at);
      }
      stream.synchronize();
    }
  }
}
