/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory that another process may have mapped stays until the device is given up. */
final class PeerMemoryTest {
  private static final long MIB = 1 << 20;

  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private final PrimaryContext context = driver.open(0);
  private final PeerMemory memory = new PeerMemory(context, true, 5 * MIB, 5 * MIB, 0);

  @AfterEach
  void allIsFreedWithTheDevice() {
    assertThat(gpu.calls("memFree")).as("freed before its time").isZero();
    memory.close();
    context.close();
    assertThat(driver.liveHandles()).isEmpty();
  }

  /** Returns the handle of memory that was lent and has come back. */
  private byte[] shared(long bytes) {
    PeerMemory.Lent lent = memory.lend(bytes).orElseThrow();
    lent.lease().close();
    return lent.handle();
  }

  @Test
  void facesOfAnotherSizeDoNotTakeIt() {
    byte[] handle = shared(2 * MIB);
    assertThat(memory.lend(4 * MIB)).as("more than there is beside it").isEmpty();
    assertThat(shared(2 * MIB)).isEqualTo(handle);
  }

  @Test
  void itStaysWhereTheDriverHasNoRoom() {
    byte[] handle = shared(2 * MIB);
    gpu.fail("memAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
    assertThat(memory.lend(3 * MIB)).isEmpty();
    assertThat(shared(2 * MIB)).isEqualTo(handle);
  }

  @Test
  void smallerFacesHaveItWhereNothingElseIsLeft() {
    byte[] handle = shared(4 * MIB);
    PeerMemory.Lent smaller = memory.lend(2 * MIB).orElseThrow();
    assertThat(smaller.handle()).isEqualTo(handle);
    assertThat(memory.lend(2 * MIB)).as("all is lent").isEmpty();
    smaller.lease().close();
    assertThat(shared(4 * MIB)).isEqualTo(handle);
  }

  @Test
  void whatIsKeptForThoseWhoComeBackStaysToo() {
    PeerMemory.Lent kept = memory.lendToKeep(3 * MIB).orElseThrow();
    kept.lease().close();
    gpu.fail("memAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
    assertThat(memory.keep(4 * MIB)).isEmpty();
    try (BufferLease<DeviceBuffer> smaller = memory.keep(2 * MIB).orElseThrow()) {
      assertThat(smaller.buffer().bytes()).isEqualTo(3 * MIB);
    }
  }
}
