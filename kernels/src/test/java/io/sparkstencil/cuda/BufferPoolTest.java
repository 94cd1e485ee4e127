/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.DeviceOutOfMemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
  private static final long LIMIT = 64 * 1024;

  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private final PrimaryContext context = driver.open(0);
  private final BufferPool<DeviceBuffer> pool =
      new BufferPool<>("device memory", LIMIT, 50, context::allocateDevice);

  @AfterEach
  void nothingIsLeft() {
    assertThat(pool.usage().leases()).isZero();
    assertThat(pool.usage().lentBytes()).isZero();
    pool.close();
    context.close();
    assertThat(driver.liveHandles()).isEmpty();
  }

  @Test
  void classesWasteAtMostAQuarter() {
    assertThat(BufferPool.sizeClass(1)).isEqualTo(4096);
    assertThat(BufferPool.sizeClass(4097)).isEqualTo(5120);
    assertThat(BufferPool.sizeClass(8192)).isEqualTo(8192);
    for (long bytes = 4096; bytes < 1 << 20; bytes += 97) {
      assertThat(BufferPool.sizeClass(bytes)).isBetween(bytes, bytes + bytes / 4 + 1);
      assertThat(BufferPool.sizeClass(BufferPool.sizeClass(bytes)))
          .isEqualTo(BufferPool.sizeClass(bytes));
    }
  }

  @Test
  void whatFitsIntoSomeBytesTakesNoMore() {
    assertThat(BufferPool.largestWithin(4095)).isZero();
    for (long bytes = 4096; bytes < 1 << 20; bytes += 97) {
      long largest = BufferPool.largestWithin(bytes);
      assertThat(BufferPool.sizeClass(largest)).isEqualTo(largest).isLessThanOrEqualTo(bytes);
      assertThat(BufferPool.sizeClass(largest + 1)).isGreaterThan(bytes);
    }
  }

  @Test
  void lendsTheSameMemoryAgain() {
    BufferLease<DeviceBuffer> first = pool.lease(5000);
    DeviceBuffer buffer = first.buffer();
    assertThat(buffer.bytes()).isGreaterThanOrEqualTo(5000);
    first.close();
    first.close();
    assertThatThrownBy(first::buffer).isInstanceOf(IllegalStateException.class);
    try (BufferLease<DeviceBuffer> second = pool.lease(4999)) {
      assertThat(second.buffer()).isSameAs(buffer);
    }
    assertThat(gpu.calls("memAlloc")).isEqualTo(1);
  }

  @Test
  void idleMemoryOfOtherClassesMakesRoom() {
    pool.lease(40 * 1024).close();
    pool.lease(50 * 1024).close();
    assertThat(driver.liveHandles())
        .filteredOn(name -> name.startsWith("DeviceBuffer#"))
        .hasSize(1);
    assertThat(pool.usage().highWaterBytes()).isLessThanOrEqualTo(LIMIT);
  }

  @Test
  void refusesWhatNeverFits() {
    assertThatThrownBy(() -> pool.lease(LIMIT + 1))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("holds at most 65536");
  }

  @Test
  void lendsAllThatItMayHoldWhateverItsClass() {
    BufferPool<DeviceBuffer> odd =
        new BufferPool<>("device memory", 65_000, 50, context::allocateDevice);
    try (BufferLease<DeviceBuffer> lease = odd.lease(60_000)) {
      assertThat(lease.buffer().bytes()).isEqualTo(65_000);
    }
    odd.lease(65_000).close();
    assertThat(gpu.calls("memAlloc")).isEqualTo(1);
    odd.close();
  }

  @Test
  void anAllocationThatFailsInAnyWayIsNotCounted() {
    List<RuntimeException> failures = new ArrayList<>();
    BufferPool<DeviceBuffer> failing =
        new BufferPool<>(
            "device memory",
            LIMIT,
            50,
            bytes -> {
              throw failures.remove(0);
            });
    failures.add(new DeviceOutOfMemoryException("none left"));
    failures.add(new IllegalStateException("the context is closed"));
    assertThatThrownBy(() -> failing.lease(1)).isInstanceOf(IllegalStateException.class);
    assertThat(failing.usage().leases()).isZero();
    assertThat(failing.usage().lentBytes()).isZero();
    failing.close();
  }

  @Test
  void waitsThenGivesUp() {
    try (BufferLease<DeviceBuffer> all = pool.lease(LIMIT)) {
      assertThat(all.buffer().bytes()).isEqualTo(LIMIT);
      assertThatThrownBy(() -> pool.lease(1))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining("within 50 ms")
          .hasMessageContaining("1 leases");
    }
  }

  @Test
  void triesWithoutWaiting() {
    BufferPool<DeviceBuffer> patient =
        new BufferPool<>("device memory", LIMIT, 3_600_000, context::allocateDevice);
    assertThat(patient.tryLease(LIMIT + 1)).isEmpty();
    try (BufferLease<DeviceBuffer> lease = patient.tryLease(40 * 1024).orElseThrow()) {
      assertThat(lease.holds(40 * 1024)).isTrue();
      assertThat(patient.tryLease(40 * 1024)).isEmpty();
      patient.tryLease(4096).orElseThrow().close();
    }
    gpu.fail("memAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
    assertThat(patient.tryLease(LIMIT)).isEmpty();
    assertThat(patient.usage().leases()).isZero();
    assertThat(patient.usage().lentBytes()).isZero();
    patient.close();
  }

  @Test
  void anInterruptedBorrowerStaysInterrupted() {
    try (BufferLease<DeviceBuffer> all = pool.lease(LIMIT)) {
      assertThat(all.buffer().bytes()).isEqualTo(LIMIT);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> pool.lease(1)).hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aDriverWithoutMemoryGetsBackWhatIsIdleFirst() {
    gpu.deviceBytes(40 * 1024);
    pool.lease(32 * 1024).close();
    pool.lease(16 * 1024).close();
    assertThat(driver.liveHandles())
        .filteredOn(name -> name.startsWith("DeviceBuffer#"))
        .hasSize(1);
    gpu.fail("memAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
    assertThatThrownBy(() -> pool.lease(20 * 1024)).isInstanceOf(DeviceOutOfMemoryException.class);
  }

  @Test
  void memoryComesBackOnlyAfterItsEvent() throws Exception {
    CountDownLatch gate = gpu.holdEvents();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (CudaEvent event = context.newEvent()) {
      BufferLease<DeviceBuffer> lease = pool.lease(LIMIT);
      lease.inUseUntil(event);
      Future<?> closing = other.submit(lease::close);
      assertThatThrownBy(() -> pool.lease(1)).isInstanceOf(DeviceOutOfMemoryException.class);
      assertThat(closing.isDone()).isFalse();
      gate.countDown();
      closing.get(5, TimeUnit.SECONDS);
      pool.lease(LIMIT).close();
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void memoryOfALostContextIsNotLentAgain() {
    try (CudaEvent event = context.newEvent()) {
      BufferLease<DeviceBuffer> lease = pool.lease(4096);
      lease.inUseUntil(event);
      gpu.fail("eventQuery", CUresult.CUDA_ERROR_ILLEGAL_ADDRESS);
      lease.close();
      assertThat(pool.usage().idleBytes()).isZero();
    }
  }

  @Test
  void manyThreadsStayWithinTheBound() throws Exception {
    BufferPool<DeviceBuffer> patient =
        new BufferPool<>("device memory", LIMIT, 10_000, context::allocateDevice);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> tasks = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(t);
      tasks.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 300; i++) {
                  try (BufferLease<DeviceBuffer> lease =
                      patient.lease(1 + random.nextInt(60_000))) {
                    assertThat(gpu.at(lease.buffer().address(), 1).capacity()).isEqualTo(1);
                  }
                }
                return null;
              }));
    }
    for (Future<?> task : tasks) {
      task.get(60, TimeUnit.SECONDS);
    }
    threads.shutdown();
    assertThat(patient.usage().leases()).isZero();
    assertThat(patient.usage().highWaterBytes()).isLessThanOrEqualTo(LIMIT);
    patient.close();
    assertThatThrownBy(() -> patient.lease(1)).hasMessageContaining("closed");
  }
}
