/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Times launches by the device's own clock. Several launches lie between two events, so that the
 * gap between an event and a kernel does not count; each works on other buffers, so that none finds
 * its cells in the cache.
 */
public final class LaunchTimer implements AutoCloseable {
  private final CudaStream stream;
  private final List<CudaEvent> events = new ArrayList<>();
  private final int samples;
  private final int launchesPerSample;

  /** Creates a timer that takes {@code samples} samples of {@code launchesPerSample} each. */
  public LaunchTimer(
      PrimaryContext context, CudaStream stream, int samples, int launchesPerSample) {
    this.stream = stream;
    this.samples = samples;
    this.launchesPerSample = launchesPerSample;
    try {
      for (int i = 0; i <= samples; i++) {
        events.add(context.newEvent());
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Runs {@code launch} once to warm up and then for each sample.
   *
   * @param launch submits one launch to the timer's stream; its argument counts launches, to choose
   *     among buffers
   */
  public Timing time(IntConsumer launch) {
    int count = 0;
    for (int i = 0; i < launchesPerSample; i++) {
      launch.accept(count++);
    }
    events.get(0).record(stream);
    for (int sample = 1; sample <= samples; sample++) {
      for (int i = 0; i < launchesPerSample; i++) {
        launch.accept(count++);
      }
      events.get(sample).record(stream);
    }
    stream.synchronize();
    double[] millis = new double[samples];
    for (int sample = 0; sample < samples; sample++) {
      millis[sample] = events.get(sample + 1).millisSince(events.get(sample)) / launchesPerSample;
    }
    Arrays.sort(millis);
    return new Timing(
        at(millis, 0.5), (at(millis, 0.9) - at(millis, 0.1)) / at(millis, 0.5), samples);
  }

  /**
   * Times launches of a kernel that take buffers in turn.
   *
   * @param outputs of one launch
   * @param arguments all but the input and the output
   */
  public Timing time(
      LoadedKernel kernel, int outputs, LaunchArguments arguments, RotatingBuffers buffers) {
    return time(launch -> kernel.launch(stream, outputs, buffers.turn(arguments, launch)));
  }

  private static double at(double[] sorted, double quantile) {
    return sorted[(int) Math.round(quantile * (sorted.length - 1))];
  }

  @Override
  public void close() {
    CloseScope.closeAll(events);
  }

  /**
   * What samples came to.
   *
   * @param millis median milliseconds of one launch
   * @param spread (p90 - p10) / median
   * @param samples how many there were
   */
  public record Timing(double millis, double spread, int samples) {}
}
