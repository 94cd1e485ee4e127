/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.testkit.RequiresGpu;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The driver layer on a real device. */
@RequiresGpu
class CudaDriverGpuTest {
  /** Copies 4-byte words and adds one to each: out[i] = in[i] + 1 for i below n. */
  static final String ADD_ONE =
      """
      .version 6.0
      .target sm_70
      .address_size 64
      .visible .entry add_one(.param .u64 in, .param .u64 out, .param .u32 n)
      {
        .reg .pred %p;
        .reg .b32 %r<6>;
        .reg .b64 %rd<6>;
        ld.param.u64 %rd0, [in];
        ld.param.u64 %rd1, [out];
        ld.param.u32 %r0, [n];
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %ntid.x;
        mov.u32 %r3, %tid.x;
        mad.lo.u32 %r4, %r1, %r2, %r3;
        setp.ge.u32 %p, %r4, %r0;
        @%p ret;
        mul.wide.u32 %rd2, %r4, 4;
        add.u64 %rd3, %rd0, %rd2;
        add.u64 %rd4, %rd1, %rd2;
        ld.global.u32 %r5, [%rd3];
        add.u32 %r5, %r5, 1;
        st.global.u32 [%rd4], %r5;
        ret;
      }
      """;

  private final CudaDriver driver = CudaDriver.get();
  private PrimaryContext context;
  private int liveBefore;

  @BeforeEach
  void open() {
    liveBefore = driver.liveHandles().size();
    context = driver.open(0);
  }

  @AfterEach
  void nothingIsLeft() {
    context.close();
    assertThat(driver.liveHandles().size()).isEqualTo(liveBefore);
  }

  @Test
  void readsTheDevice() {
    CudaDevice device = context.traits();
    assertThat(device.name()).isNotBlank();
    assertThat(device.busId()).contains(":");
    assertThat(device.memoryBytes()).isGreaterThan(1L << 30);
    assertThat(device.threadsPerMultiprocessor()).isBetween(1024, 2048);
    assertThat(device.sharedBytesPerBlock()).isGreaterThanOrEqualTo(64 << 10);
    assertThat(context.freeBytes()).isBetween(1L, device.memoryBytes());
  }

  @Test
  void memoryTellsItsDevice() {
    for (CudaDevice device : driver.devices()) {
      try (PrimaryContext own = driver.open(device.ordinal());
          DeviceBuffer memory = own.allocateDevice(1000)) {
        assertThat(driver.deviceOf(memory.address() + 999)).isEqualTo(device);
      }
    }
    assertThatThrownBy(() -> driver.deviceOf(4096)).isInstanceOf(EngineUnavailableException.class);
  }

  @Test
  void copiesInRunsAndCopiesOut() {
    int cells = 100_003;
    try (CudaStream stream = context.newStream();
        CudaEvent start = context.newEvent();
        CudaEvent end = context.newEvent();
        PinnedBuffer host = context.allocatePinned(4L * cells);
        DeviceBuffer in = context.allocateDevice(4L * cells);
        DeviceBuffer out = context.allocateDevice(4L * cells);
        KernelFunction function = context.loadKernel("add_one", ADD_ONE)) {
      ByteBuffer view = host.view(0, 4L * cells);
      for (int i = 0; i < cells; i++) {
        view.putInt(4 * i, 7 * i);
      }
      start.record(stream);
      stream.copyIn(host, 4L * cells, in.address());
      stream.fill(out.address(), 4L * cells, (byte) -1);
      function.launch(
          stream,
          new LaunchShape((cells + 255) / 256, 1, 256, 0),
          in.address(),
          out.address(),
          cells);
      stream.copyOut(out.address(), 4L * cells, host);
      end.record(stream);
      end.synchronize();
      assertThat(end.isReached()).isTrue();
      assertThat(end.millisSince(start)).isPositive();
      for (int i = 0; i < cells; i++) {
        assertThat(view.getInt(4 * i)).isEqualTo(7 * i + 1);
      }
    }
  }

  @Test
  void aRefusedKernelTellsTheCompilersLog() {
    assertThatThrownBy(
            () -> context.loadKernel("broken", ADD_ONE.replace("add.u32", "add.nonsense")))
        .isInstanceOf(KernelCompilationException.class)
        .hasMessageContaining("broken")
        .hasMessageContaining("CUDA_ERROR_INVALID_PTX")
        .hasMessageContaining("line 22");
    assertThatThrownBy(() -> context.loadKernel("broken", "no ptx at all"))
        .isInstanceOf(KernelCompilationException.class);
    context.newStream().close();
  }

  @Test
  void tooMuchMemoryIsRefusedAndTheContextStaysUsable() {
    assertThatThrownBy(() -> context.allocateDevice(1L << 50))
        .isInstanceOf(DeviceOutOfMemoryException.class);
    context.allocateDevice(1 << 20).close();
  }

  @Test
  void thousandsOfLaunchesFromManyThreadsLeakNothing() throws Exception {
    int threads = 16;
    int launches = 500;
    long freeBefore = context.freeBytes();
    BufferPool<PinnedBuffer> pinned =
        new BufferPool<>("pinned memory", 1 << 24, 30_000, context::allocatePinned);
    BufferPool<DeviceBuffer> memory =
        new BufferPool<>("device memory", 1 << 20, 30_000, context::allocateDevice);
    try (KernelFunction function = context.loadKernel("add_one", ADD_ONE)) {
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      List<Future<?>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int seed = t;
        tasks.add(pool.submit(() -> launchMany(function, pinned, memory, launches, seed)));
      }
      for (Future<?> task : tasks) {
        task.get(120, TimeUnit.SECONDS);
      }
      pool.shutdown();
    }
    assertThat(pinned.usage().leases() + memory.usage().leases()).isZero();
    pinned.close();
    memory.close();
    assertThat(context.freeBytes()).isGreaterThan(freeBefore - (64 << 20));
  }

  private void launchMany(
      KernelFunction function,
      BufferPool<PinnedBuffer> pinned,
      BufferPool<DeviceBuffer> memory,
      int launches,
      int seed) {
    try (CudaStream stream = context.newStream();
        CudaEvent done = context.newEvent()) {
      for (int i = 0; i < launches; i++) {
        int cells = 1 + (seed * 7919 + i * 104_729) % 10_000;
        try (BufferLease<PinnedBuffer> host = pinned.lease(4L * cells);
            BufferLease<DeviceBuffer> in = memory.lease(8L * cells)) {
          int value = seed + i;
          host.buffer().view(0, 4L * cells).putInt(4 * (cells - 1), value);
          long address = in.buffer().address();
          stream.copyIn(host.buffer(), 4L * cells, address);
          function.launch(
              stream, new LaunchShape((cells + 127) / 128, 1, 128, 0), address, address, cells);
          stream.copyOut(address, 4L * cells, host.buffer());
          host.inUseUntil(done);
          in.inUseUntil(done);
          done.record(stream);
          done.synchronize();
          assertThat(host.buffer().view(0, 4L * cells).getInt(4 * (cells - 1)))
              .isEqualTo(value + 1);
        }
      }
    }
  }

  /** In a process of its own: an illegal address ends the context for good. */
  @Test
  void anIllegalAddressLosesTheDevice() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process child =
        new ProcessBuilder(
                java, "-cp", System.getProperty("java.class.path"), LoseTheDevice.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output).contains("lost: cuStreamSynchronize", "CUDA_ERROR_ILLEGAL_ADDRESS");
    assertThat(output).contains("lost again", "closed");
  }

  /** Writes where nothing is. */
  static final class LoseTheDevice {
    private LoseTheDevice() {}

    /** Runs the fault. */
    public static void main(String[] args) {
      try (PrimaryContext context = CudaDriver.get().open(0);
          CudaStream stream = context.newStream();
          KernelFunction function = context.loadKernel("add_one", ADD_ONE)) {
        try {
          function.launch(stream, new LaunchShape(1, 1, 32, 0), 16, 16, 32);
          stream.synchronize();
        } catch (DeviceLostException e) {
          System.out.println("lost: " + e.getMessage());
        }
        try {
          context.allocateDevice(16);
        } catch (DeviceLostException e) {
          System.out.println("lost again");
        }
      }
      System.out.println("closed");
    }
  }
}
