/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.HaloPlan;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.program.shared.FaceTicket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faces between two emulated devices of a process, and between those of two processes. */
final class DeviceFacesTest {
  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = twoDevices();
  private GpuPrograms first = open(0, Map.of());
  private GpuPrograms second = open(1, Map.of());

  private CudaDriver twoDevices() {
    gpu.devices(2);
    gpu.emulate();
    return gpu.driver();
  }

  private GpuPrograms open(int device, Map<String, String> options) {
    GpuPrograms engine =
        GpuPrograms.open(driver, driver.devices().get(device), options, ProgramChecks.NEVER);
    engine.device().poison();
    return engine;
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    assertThat(driver.liveHandles()).isEmpty();
  }

  private BlockFields block(GpuPrograms engine, int block, Random random) {
    return FaceBlocks.on(engine, FaceBlocks.PLAN, block, random);
  }

  @ParameterizedTest
  @CsvSource({"1000, true", "37x60, true", "20x700, true", "9x11x13, true", "12x10x600, false"})
  void facesBetweenDevicesAreThoseOfTheHeap(String sizes, boolean reach) {
    gpu.peersReach(reach);
    HaloPlan plan = FaceBlocks.plan(sizes, 4);
    FaceBlocks.requireSameHalosOn(first, second, plan);
    assertThat(gpu.calls("ctxEnablePeerAccess")).isEqualTo(reach ? 2 : 0);
    assertThat(gpu.calls("memcpyDtoHAsync")).as("only the cells that are compared").isLessThan(20);
  }

  @Test
  void accessThatAnotherLibraryHasGivenIsTaken() {
    gpu.fail("ctxEnablePeerAccess", CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    try (BlockFields a = block(first, 0, new Random(1));
        BlockFields b = block(second, 1, new Random(2))) {
      assertThat(a.take(b, 0, 2)).isEqualTo(FacePath.PEER);
    }
  }

  /** As another process would see it, that has the same memory mapped. */
  private static byte[] ofAnotherProcess(SharedFace face) {
    FaceTicket own = FaceTicket.ofBytes(face.ticket());
    long parent = ProcessHandle.current().parent().orElseThrow().pid();
    return new FaceTicket(
            own.host(), parent, own.device(), own.handle(), own.nonce(), own.faceBytes())
        .toBytes();
  }

  @ParameterizedTest
  @CsvSource({"1000", "37x60", "20x700", "9x11x13", "12x10x600"})
  void facesBetweenProcessesAreThoseOfTheHeap(String sizes) {
    HaloPlan plan = FaceBlocks.plan(sizes, 4);
    FaceBlocks.requireSameHalos(
        plan,
        (block, random) -> FaceBlocks.on(block % 2 == 0 ? first : second, plan, block, random),
        (target, source) -> {
          SharedFace face = source.share(target.place(), 2).orElseThrow();
          assertThat(source.share(target.place(), 2)).containsSame(face);
          face.put(7);
          assertThat(target.takeShared(ofAnotherProcess(face), source.place().block(), 2, 7))
              .isTrue();
          ByteBuffer packed = source.pack(target.place(), 0, 2);
          assertThat(face.get(7)).isEqualTo(packed);
        });
    assertThat(gpu.calls("ipcOpenMemHandle")).isEqualTo(gpu.calls("ipcCloseMemHandle"));
  }

  @Test
  void onlyTheStateThatIsThereIsTaken() {
    ExtendedBlock target = FaceBlocks.PLAN.extended(1);
    BlockFields source = block(first, 0, new Random(1));
    SharedFace face = source.share(target, 2).orElseThrow();
    byte[] ticket = ofAnotherProcess(face);
    try (BlockFields there = block(second, 1, new Random(2))) {
      assertThat(there.takeShared(ticket, 0, 2, 0)).as("nothing was put").isFalse();
      face.put(0);
      face.put(1);
      assertThat(there.takeShared(ticket, 0, 2, 0)).isTrue();
      assertThat(there.takeShared(ticket, 0, 2, 1)).isTrue();
      assertThat(there.takeShared(ticket, 0, 2, 2)).as("not there yet").isFalse();
      assertThat(there.takeShared(ticket, 0, 1, 1)).as("another number of fields").isFalse();
      face.put(2);
      assertThat(there.takeShared(ticket, 0, 2, 0)).as("overwritten").isFalse();
      assertThat(there.takeShared(ticket, 0, 2, 1)).isTrue();
      assertThatThrownBy(() -> face.get(0))
          .hasMessageContaining("state 0 of a face is read, but 2");
      assertThat(there.takeShared(face.ticket(), 0, 2, 2)).as("of this very process").isFalse();
      source.close();
      assertThat(there.takeShared(ticket, 0, 2, 2)).as("of a block that is gone").isFalse();
      assertThatThrownBy(() -> face.get(2)).hasMessageContaining("closed");
      try (BlockFields next = block(first, 0, new Random(1))) {
        SharedFace again = next.share(target, 2).orElseThrow();
        again.put(2);
        assertThat(FaceTicket.ofBytes(again.ticket()).handle())
            .as("memory that was mapped once is shared again")
            .isEqualTo(FaceTicket.ofBytes(ticket).handle());
        assertThat(there.takeShared(ticket, 0, 2, 2)).as("of other cells").isFalse();
        assertThat(there.takeShared(ofAnotherProcess(again), 0, 2, 2)).isTrue();
      }
    }
  }

  /** The copy of the cells of state 0 comes between the two looks at its stamp. */
  @Test
  void aFaceThatChangesWhileItIsReadIsNotTaken() {
    try (BlockFields source = block(first, 0, new Random(1));
        BlockFields there = block(second, 1, new Random(2))) {
      SharedFace face = source.share(there.place(), 2).orElseThrow();
      face.put(0);
      gpu.before("memcpyDtoDAsync", () -> face.put(2));
      assertThat(there.takeShared(ofAnotherProcess(face), 0, 2, 0)).isFalse();
      assertThat(there.takeShared(ofAnotherProcess(face), 0, 2, 2)).isTrue();
    }
  }

  @Test
  void nothingIsSharedWhereTheDriverRefuses() {
    try (BlockFields source = block(first, 0, new Random(1));
        BlockFields there = block(second, 1, new Random(2))) {
      SharedFace face = source.share(there.place(), 2).orElseThrow();
      face.put(3);
      gpu.fail("ipcOpenMemHandle", CUresult.CUDA_ERROR_INVALID_CONTEXT);
      assertThat(there.takeShared(ofAnotherProcess(face), 0, 2, 3)).isFalse();
      assertThat(there.takeShared(ofAnotherProcess(face), 0, 2, 3)).isFalse();
      assertThat(gpu.calls("ipcOpenMemHandle")).as("asked once").isEqualTo(1);
      gpu.fail("ipcGetMemHandle", CUresult.CUDA_ERROR_NOT_SUPPORTED);
      assertThat(there.share(source.place(), 2)).isEmpty();
      assertThat(there.share(source.place(), 2)).isEmpty();
      assertThat(there.pack(source.place(), 0, 2)).as("the context goes on").isNotNull();
    }
  }

  @Test
  void nothingIsSharedWhereItIsSwitchedOff() {
    second.close();
    second = open(1, Map.of(GpuOptions.GRID_IPC.key(), "false"));
    try (BlockFields there = block(second, 1, new Random(2))) {
      assertThat(there.share(FaceBlocks.PLAN.extended(0), 2)).isEmpty();
    }
    ExtendedBlock onHeap = FaceBlocks.PLAN.extended(0);
    assertThat(new BlockArrays(FaceBlocks.TYPE, onHeap, 2).share(onHeap, 2)).isEmpty();
  }
}
