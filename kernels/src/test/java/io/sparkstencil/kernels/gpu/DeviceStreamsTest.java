/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.DeviceTimes;
import org.junit.jupiter.api.Test;

/** Streams that lanes share, and the clock that samples batches. */
class DeviceStreamsTest {
  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();

  @Test
  void lanesGetTheLeastUsedStreamOfAFew() {
    try (PrimaryContext context = driver.open(0);
        DeviceStreams streams = new DeviceStreams(context, 2)) {
      DeviceStreams.Shared first = streams.take();
      DeviceStreams.Shared second = streams.take();
      assertThat(second).isNotSameAs(first);
      assertThat(streams.take()).isSameAs(first);
      assertThat(streams.take()).isSameAs(second);
      streams.giveBack(second);
      assertThat(streams.take()).isSameAs(second);
      assertThat(gpu.calls("streamCreate")).isEqualTo(2);
    }
    assertThat(driver.liveHandles()).isEmpty();
  }

  @Test
  void aStreamThatNobodyUsesIsTakenBeforeANewOne() {
    try (PrimaryContext context = driver.open(0);
        DeviceStreams streams = new DeviceStreams(context, 8)) {
      DeviceStreams.Shared first = streams.take();
      streams.giveBack(first);
      assertThat(streams.take()).isSameAs(first);
      assertThat(gpu.calls("streamCreate")).isEqualTo(1);
    }
  }

  /** The fake device takes 1 ms between any two events. */
  @Test
  void oneBatchInSixteenIsTimedForAllByTheirCells() {
    try (PrimaryContext context = driver.open(0);
        CudaStream stream = context.newStream();
        BatchClock clock = new BatchClock(context)) {
      assertThat(clock.estimate()).isEqualTo(DeviceTimes.NONE);
      for (int batch = 0; batch < 32; batch++) {
        clock.begin(batch % 16 == 0 ? 1000 : 500);
        for (int point = 0; point < 4; point++) {
          clock.mark(stream);
        }
        clock.end();
      }
      assertThat(gpu.calls("eventRecord")).isEqualTo(2 * 4);
      // 2 batches of 1000 cells took 2 ms for each part; all 17,000 cells are 8.5 times as many.
      assertThat(clock.estimate()).isEqualTo(new DeviceTimes(17_000_000, 17_000_000, 17_000_000));
    }
    assertThat(driver.liveHandles()).isEmpty();
  }

  @Test
  void aBatchThatFailedHalfWayIsNotCounted() {
    try (PrimaryContext context = driver.open(0);
        CudaStream stream = context.newStream();
        BatchClock clock = new BatchClock(context)) {
      clock.begin(1000);
      clock.mark(stream);
      clock.begin(1000);
      clock.end();
      assertThat(clock.estimate()).isEqualTo(DeviceTimes.NONE);
    }
  }
}
