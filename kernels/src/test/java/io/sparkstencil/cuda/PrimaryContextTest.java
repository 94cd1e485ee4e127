/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.error.StencilException;
import java.nio.ByteBuffer;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrimaryContextTest {
  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private final PrimaryContext context = driver.open(0);

  @AfterEach
  void nothingIsLeftOpen() {
    context.close();
    assertThat(driver.liveHandles()).isEmpty();
    assertThat(gpu.calls("ctxPushCurrent")).isEqualTo(gpu.calls("ctxPopCurrent"));
  }

  @Test
  void copiesThroughAKernel() {
    gpu.kernel(
        "copy",
        (device, cells, args) -> device.at(args[1], args[2]).put(device.at(args[0], args[2])));
    try (CudaStream stream = context.newStream();
        CudaEvent done = context.newEvent();
        PinnedBuffer host = context.allocatePinned(64);
        DeviceBuffer in = context.allocateDevice(64);
        DeviceBuffer out = context.allocateDevice(64);
        KernelFunction function = context.loadKernel("copy", ".visible .entry copy(")) {
      ByteBuffer view = host.view(0, 64);
      for (int i = 0; i < 16; i++) {
        view.putInt(4 * i, i * i);
      }
      stream.copyIn(host, 64, in.address());
      function.launch(stream, new LaunchShape(1, 1, 32, 0), in.address(), out.address(), 64);
      stream.fill(in.address(), 64, (byte) 0);
      stream.copyOut(out.address(), 64, host);
      done.record(stream);
      done.synchronize();
      assertThat(done.isReached()).isTrue();
      assertThat(view.getInt(60)).isEqualTo(225);
      assertThat(driver.liveHandles())
          .filteredOn(name -> name.startsWith("DeviceBuffer#"))
          .hasSize(2);
      assertThat(driver.liveHandles().size()).isEqualTo(6);
    }
  }

  @Test
  void useAfterCloseNamesTheHandle() {
    CudaStream stream = context.newStream();
    String name = stream.toString();
    stream.close();
    stream.close();
    assertThat(gpu.calls("streamDestroy")).isEqualTo(1);
    assertThatThrownBy(stream::synchronize)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(name);
    PinnedBuffer pinned = context.allocatePinned(16);
    pinned.close();
    assertThatThrownBy(() -> pinned.view(0, 1)).hasMessageContaining("PinnedBuffer#");
  }

  @Test
  void aContextThatIsClosedRefusesWork() {
    PrimaryContext other = driver.open(0);
    CudaStream stream = other.newStream();
    other.close();
    other.close();
    assertThat(gpu.calls("devicePrimaryCtxRelease")).isEqualTo(1);
    assertThatThrownBy(other::newStream).isInstanceOf(IllegalStateException.class);
    stream.close();
    assertThat(gpu.calls("streamDestroy")).isZero();
  }

  @Test
  void copiesDoNotRunPastAPinnedBuffer() {
    try (CudaStream stream = context.newStream();
        PinnedBuffer host = context.allocatePinned(16)) {
      assertThatThrownBy(() -> stream.copyIn(host, 17, 0)).hasMessageContaining("holds 16 bytes");
    }
  }

  @Test
  void exhaustedMemoryIsItsOwnFailure() {
    gpu.deviceBytes(100);
    assertThatThrownBy(() -> context.allocateDevice(101))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("101 bytes");
  }

  @Test
  void pinnedMemoryBeyondAByteBufferIsNotThere() {
    assertThatThrownBy(() -> context.allocatePinned(1L << 31))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("2147483648 bytes of pinned memory");
    assertThat(gpu.calls("memHostAlloc")).isZero();
  }

  @Test
  void aRefusedKernelTellsTheLog() {
    gpu.fail("moduleLoad", CUresult.CUDA_ERROR_INVALID_PTX);
    assertThatThrownBy(() -> context.loadKernel("stencil_k3", "nonsense"))
        .isInstanceOf(KernelCompilationException.class)
        .hasMessageContaining("stencil_k3")
        .hasMessageContaining("CUDA_ERROR_INVALID_PTX")
        .hasMessageContaining("refused by the fake");
    assertThatCode(() -> context.newStream().close()).doesNotThrowAnyException();
  }

  @Test
  void urgentStreamsHaveTheGreatestPriorityOfTheDevice() {
    context.newUrgentStream().close();
    assertThat(gpu.calls("streamCreateWithPriority")).isEqualTo(1);
  }

  @Test
  void otherFailuresLeaveTheContextUsable() {
    gpu.fail("streamCreate", CUresult.CUDA_ERROR_INVALID_VALUE);
    assertThatThrownBy(context::newStream)
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("CUDA_ERROR_INVALID_VALUE (1)");
    gpu.fail("streamCreate", CUresult.CUDA_SUCCESS);
    context.newStream().close();
  }

  @ParameterizedTest
  @ValueSource(ints = {700, 214, 702, 709, 710, 715, 716, 719, 201, 999})
  void aStickyErrorEndsTheContextForAll(int result) {
    CudaStream stream = context.newStream();
    DeviceBuffer buffer = context.allocateDevice(16);
    gpu.fail("streamSynchronize", result);
    assertThatThrownBy(stream::synchronize).isInstanceOf(DeviceLostException.class);
    gpu.fail("streamSynchronize", CUresult.CUDA_SUCCESS);
    assertThatThrownBy(context::newEvent)
        .isInstanceOf(DeviceLostException.class)
        .hasMessageContaining("cuStreamSynchronize");
    assertThatCode(buffer::close).doesNotThrowAnyException();
    assertThatCode(stream::close).doesNotThrowAnyException();
    assertThat(gpu.calls("memFree")).isZero();
  }

  @Test
  void aFreeThatFailsIsNotTriedAgainAndDoesNotThrow() {
    CudaStream stream = context.newStream();
    gpu.fail("streamDestroy", CUresult.CUDA_ERROR_INVALID_HANDLE);
    assertThatCode(stream::close).doesNotThrowAnyException();
    assertThatCode(stream::close).doesNotThrowAnyException();
    assertThat(gpu.calls("streamDestroy")).isEqualTo(1);
  }

  @Test
  void enteringNests() {
    context.enter();
    context.enter();
    int pushes = gpu.calls("ctxPushCurrent");
    context.newStream().close();
    context.leave();
    context.newStream().close();
    assertThat(gpu.calls("ctxPushCurrent")).isEqualTo(pushes);
    context.leave();
  }
}
