/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.grid.FaceKeeper;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.program.shared.FaceTicket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
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
    FacePlan plan = FaceBlocks.plan(sizes, 4);
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

  @ParameterizedTest
  @CsvSource({"1000", "37x60", "20x700", "9x11x13", "12x10x600"})
  void facesBetweenProcessesAreThoseOfTheHeap(String sizes) {
    FacePlan plan = FaceBlocks.plan(sizes, 4);
    FaceBlocks.requireSameHalos(
        plan,
        FaceBlocks.inTurn(first, second, plan),
        (taker, giver) -> {
          SharedFace face = giver.share(taker.place(), 2, 2).orElseThrow();
          assertThat(giver.share(taker.place(), 2, 2)).containsSame(face);
          face.put(7, false);
          assertThat(
                  taker.takeShared(
                      SharedBlocks.ofAnotherProcess(face), giver.place().block(), 2, 7))
              .isTrue();
          ByteBuffer packed = giver.pack(taker.place(), 0, 2);
          assertThat(face.get(7)).contains(packed);
        });
    assertThat(gpu.calls("ipcOpenMemHandle")).isEqualTo(gpu.calls("ipcCloseMemHandle"));
  }

  @ParameterizedTest
  @CsvSource({"1000", "37x60", "20x700", "9x11x13", "12x10x600"})
  void facesThatTravelAreThoseOfTheHeap(String sizes) {
    FacePlan plan = FaceBlocks.plan(sizes, 4);
    FaceBlocks.requireSameHalos(
        plan,
        FaceBlocks.inTurn(first, second, plan),
        (taker, giver) -> {
          int giverBlock = giver.place().block();
          int bytes = (int) plan.faceBytes(taker.place(), giverBlock, 2);
          try (FaceBuffer sent = giver.lendFace(bytes).orElseThrow();
              FaceBuffer come = taker.lendFace(bytes).orElseThrow()) {
            giver.pack(taker.place(), 0, 2, sent);
            assertThat(sent.bytes()).isEqualTo(giver.pack(taker.place(), 0, 2));
            come.bytes().put(sent.bytes()); // as a network does
            taker.unpack(giverBlock, 0, 2, come);
          }
        });
    assertThat(first.device().faces().usage().leases()).isZero();
    assertThat(second.device().faces().usage().leases()).isZero();
  }

  @Test
  void aFaceThatTravelsCrossesTheLinkByOneCopy() {
    try (BlockFields giver = block(first, 0, new Random(1));
        BlockFields taker = block(second, 1, new Random(1));
        FaceBuffer face = giver.lendFace(faceBytes()).orElseThrow()) {
      int out = gpu.calls("memcpyDtoHAsync");
      int in = gpu.calls("memcpyHtoDAsync");

      giver.pack(taker.place(), 0, 2, face);
      assertThat(gpu.calls("memcpyDtoHAsync") - out).isEqualTo(1);
      giver.unpack(1, 0, 2, face);
      assertThat(gpu.calls("memcpyHtoDAsync") - in).isEqualTo(1);
      taker.unpack(0, 0, 2, face);
      assertThat(FaceBlocks.expected(FaceBlocks.PLAN, 1))
          .as("memory that is near to another device")
          .isEqualTo(filledAndStepped(taker));
    }
  }

  private static List<Object> filledAndStepped(BlockFields fields) {
    fields.fillOwnImages(0, 2);
    return FaceBlocks.stepped(fields);
  }

  private static int faceBytes() {
    return (int) FaceBlocks.PLAN.faceBytes(FaceBlocks.PLAN.extended(1), 0, 2);
  }

  @Test
  void memoryForFacesThatTravelHasABudgetAndWaitsForNobody() {
    first.close();
    first = open(0, Map.of(GpuOptions.GRID_PINNED_BYTES.key(), "8k"));
    try (BlockFields fields = block(first, 0, new Random(1))) {
      FaceBuffer one = fields.lendFace(4096).orElseThrow();
      FaceBuffer two = fields.lendFace(4096).orElseThrow();
      assertThat(fields.lendFace(4096)).isEmpty();
      assertThat(fields.lendFace(1 << 20)).as("more than there ever is").isEmpty();
      two.close();
      two.close();
      assertThat(first.device().faces().usage().leases()).as("it went back once").isEqualTo(1);
      fields.lendFace(4096).orElseThrow().close();
      assertThatThrownBy(() -> fields.pack(FaceBlocks.PLAN.extended(1), 0, 2, one))
          .hasMessageContaining("memory for a face of 4096 bytes is used for one of");
      one.close();
    }
    try (BlockFields fields = block(second, 0, new Random(1))) {
      gpu.fail("memHostAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
      assertThat(fields.lendFace(1 << 20)).as("the system gives no more").isEmpty();
    }
    assertThat(new BlockArrays(FaceBlocks.TYPE, FaceBlocks.PLAN.extended(0), 2).lendFace(8))
        .isEmpty();
  }

  @Test
  void onlyTheStateThatIsThereIsTaken() {
    ExtendedBlock place = FaceBlocks.PLAN.extended(1);
    BlockFields giver = block(first, 0, new Random(1));
    SharedFace face = giver.share(place, 2, 2).orElseThrow();
    byte[] ticket = SharedBlocks.ofAnotherProcess(face);
    try (BlockFields taker = block(second, 1, new Random(2))) {
      assertThat(taker.takeShared(ticket, 0, 2, 0)).as("nothing was put").isFalse();
      face.put(0, false);
      face.put(1, false);
      assertThat(taker.takeShared(ticket, 0, 2, 0)).isTrue();
      assertThat(taker.takeShared(ticket, 0, 2, 1)).isTrue();
      assertThat(taker.takeShared(ticket, 0, 2, 2)).as("not there yet").isFalse();
      assertThat(taker.takeShared(ticket, 0, 1, 1)).as("another number of fields").isFalse();
      face.put(2, false);
      assertThat(taker.takeShared(ticket, 0, 2, 0)).as("overwritten").isFalse();
      assertThat(taker.takeShared(ticket, 0, 2, 1)).isTrue();
      assertThat(face.get(0)).as("overwritten").isEmpty();
      assertThat(face.states()).containsExactly(1, 2);
      assertThat(taker.takeShared(face.ticket(), 0, 2, 2)).as("of this very process").isFalse();
      giver.close();
      assertThat(taker.takeShared(ticket, 0, 2, 2)).as("of a block that is gone").isFalse();
      assertThat(face.get(2)).as("closed").isEmpty();
      try (BlockFields next = block(first, 0, new Random(1))) {
        SharedFace again = next.share(place, 2, 2).orElseThrow();
        again.put(2, false);
        assertThat(FaceTicket.ofBytes(again.ticket()).handle())
            .as("memory that was mapped once is shared again")
            .isEqualTo(FaceTicket.ofBytes(ticket).handle());
        assertThat(taker.takeShared(ticket, 0, 2, 2)).as("of other cells").isFalse();
        assertThat(taker.takeShared(SharedBlocks.ofAnotherProcess(again), 0, 2, 2)).isTrue();
      }
    }
  }

  private SharedBlocks shared() {
    return SharedBlocks.of(block(first, 0, new Random(1)), block(second, 1, new Random(2)));
  }

  /** The copy of the cells of state 0 comes between the two looks at its stamp. */
  @Test
  void aFaceThatChangesWhileItIsReadIsNotTaken() {
    try (SharedBlocks shared = shared()) {
      shared.face().put(0, false);
      gpu.before("memcpyDtoDAsync", () -> shared.face().put(2, false));
      assertThat(shared.take(0)).isFalse();
      assertThat(shared.take(2)).isTrue();
    }
  }

  @Test
  void aFaceIsNotTakenWhileItsCellsChange() {
    try (SharedBlocks shared = shared()) {
      shared.face().put(0, false);
      List<Boolean> taken = new ArrayList<>();
      gpu.before("memcpyHtoDAsync", () -> taken.add(shared.take(0))); // the new stamp
      shared.face().put(2, false);
      assertThat(taken).containsExactly(false);
    }
  }

  @Test
  void nothingIsSharedWhereTheDriverRefuses() {
    try (SharedBlocks shared = shared()) {
      shared.face().put(3, false);
      gpu.fail("ipcOpenMemHandle", CUresult.CUDA_ERROR_INVALID_CONTEXT);
      assertThat(shared.take(3)).isFalse();
      assertThat(shared.take(3)).isFalse();
      assertThat(gpu.calls("ipcOpenMemHandle")).as("asked once").isEqualTo(1);
      gpu.fail("ipcGetMemHandle", CUresult.CUDA_ERROR_NOT_SUPPORTED);
      BlockFields taker = shared.taker();
      ExtendedBlock giver = shared.giver().place();
      assertThat(taker.share(giver, 2, 2)).isEmpty();
      assertThat(taker.share(giver, 2, 2)).isEmpty();
      assertThat(taker.pack(giver, 0, 2)).as("the context goes on").isNotNull();
    }
  }

  /** Puts random cells as those of states up to one; returns the faces. */
  private List<ByteBuffer> putAll(BlockFields giver, SharedFace face, int last) {
    return changeAll(giver, last, state -> face.put(state, true));
  }

  /** Makes random cells those of states up to one; returns the faces. */
  private List<ByteBuffer> changeAll(BlockFields giver, int last, IntPredicate put) {
    List<ByteBuffer> faces = new ArrayList<>();
    for (int state = 0; state <= last; state++) {
      FaceBlocks.load(giver, new Random(state));
      faces.add(giver.pack(FaceBlocks.PLAN.extended(1), 0, 2));
      int copies = gpu.calls("memcpyDtoHAsync");
      assertThat(put.test(state)).isTrue();
      assertThat(gpu.calls("memcpyDtoHAsync")).as("copies to the host").isEqualTo(copies);
    }
    return faces;
  }

  private static byte[] ofAnotherProcess(SharedFace face, int state) {
    SharedFace.Kept kept =
        face.kept().stream()
            .filter(each -> each.first() <= state && state < each.end())
            .findFirst()
            .orElseThrow();
    return SharedBlocks.ofAnotherProcess(kept.ticket());
  }

  @Test
  void statesThatAreKeptOutliveTheirSlots() {
    int last = 2000; // a piece of memory has 1024 faces of this size
    try (BlockFields giver = block(first, 0, new Random(1));
        BlockFields taker = block(second, 1, new Random(2));
        BlockFields beside = block(first, 1, new Random(3))) {
      SharedFace face = giver.share(taker.place(), 2, 2).orElseThrow();
      List<ByteBuffer> faces = putAll(giver, face, last);
      assertThat(face.states()).hasSize(last + 1);
      assertThat(face.keptBytes()).isEqualTo(first.device().shared().keptUsage().lentBytes());
      for (int state : List.of(0, 1, 1023, 1024, last - 2, last - 1, last)) {
        assertThat(face.get(state)).as("state %d", state).contains(faces.get(state));
      }
      for (int state : List.of(0, 1023, 1024, last - 2)) {
        assertThat(taker.takeShared(ofAnotherProcess(face, state), 0, 2, state)).isTrue();
        assertThat(taker.takeShared(SharedBlocks.ofAnotherProcess(face), 0, 2, state)).isFalse();
        assertThat(taker.takeShared(ofAnotherProcess(face, state), 0, 2, state + 1024)).isFalse();
      }
      assertThat(taker.takeShared(ofAnotherProcess(face, last), 0, 2, last))
          .as("it has not left its slot")
          .isFalse();
      assertThat(beside.takeShared(face.kept().get(0).ticket(), 0, 2, 7))
          .as("in this very process")
          .isTrue();
      byte[] early = ofAnotherProcess(face, 7);
      face.giveUpBefore(1024);
      assertThat(face.get(7)).as("given up").isEmpty();
      assertThat(taker.takeShared(early, 0, 2, 7)).isFalse();
      assertThat(face.get(1024)).contains(faces.get(1024));
      assertThat(face.kept()).hasSize(1);
      face.giveUpBefore(Integer.MAX_VALUE);
      assertThat(face.keptBytes()).isZero();
      assertThat(face.states()).containsExactly(last - 1, last);
      assertThat(face.put(last + 1, true)).as("from now on again").isTrue();
      assertThat(face.put(last + 3, false)).isFalse();
      assertThat(face.states()).containsExactly(last, last + 1, last + 3);
    }
    assertThat(first.device().shared().keptUsage().leases()).isZero();
  }

  @Test
  void facesThatTravelAreKeptOnTheDevice() {
    first.close();
    first = open(0, Map.of(GpuOptions.GRID_IPC.key(), "false"));
    int last = 1500; // a piece of memory has 1024 faces of this size
    try (BlockFields giver = block(first, 0, new Random(1))) {
      ExtendedBlock place = FaceBlocks.PLAN.extended(1);
      FaceKeeper keeper = giver.keeper(place, 2).orElseThrow();
      assertThat(giver.keeper(place, 2)).containsSame(keeper);
      List<ByteBuffer> faces = changeAll(giver, last, keeper::keep);
      assertThat(keeper.keptBytes()).isEqualTo(first.device().shared().keptUsage().lentBytes());
      for (int state : List.of(0, 1, 1023, 1024, last)) {
        assertThat(keeper.get(state)).as("state %d", state).contains(faces.get(state));
      }
      assertThat(keeper.get(last + 1)).isEmpty();
      keeper.giveUpBefore(1024);
      assertThat(keeper.get(7)).as("given up").isEmpty();
      assertThat(keeper.get(1024)).contains(faces.get(1024));
      keeper.giveUpBefore(Integer.MAX_VALUE);
      assertThat(keeper.keptBytes()).isZero();
      assertThat(keeper.keep(last + 1)).as("from now on again").isTrue();
    }
    assertThat(first.device().shared().keptUsage().leases()).isZero();
  }

  @Test
  void facesThatTravelAreKeptWithinTheSameBudget() {
    first.close();
    first = open(0, Map.of(GpuOptions.GRID_DEVICE_LOG_BYTES.key(), "5m"));
    FacePlan plan = FaceBlocks.plan("1000", 4);
    try (BlockFields giver = FaceBlocks.on(first, plan, 1, new Random(1))) {
      SharedFace low = giver.share(plan.extended(0), 2, 2).orElseThrow();
      FaceKeeper high = giver.keeper(plan.extended(2), 2).orElseThrow();
      assertThat(low.put(0, true)).isTrue();
      assertThat(high.keep(0)).isTrue();
      assertThat(high.keep(1024)).as("a third piece of 2 MiB").isFalse();
      assertThat(high.get(1024)).isEmpty();
      assertThat(high.keep(1)).as("in the second").isTrue();
    }
  }

  @Test
  void theLogOfADeviceStaysWithinItsBudget() {
    first.close();
    first = open(0, Map.of(GpuOptions.GRID_DEVICE_LOG_BYTES.key(), "5m"));
    FacePlan plan = FaceBlocks.plan("1000", 4);
    try (BlockFields giver = FaceBlocks.on(first, plan, 1, new Random(1))) {
      SharedFace low = giver.share(plan.extended(0), 2, 2).orElseThrow();
      SharedFace high = giver.share(plan.extended(2), 2, 2).orElseThrow();
      assertThat(low.put(0, true)).isTrue();
      assertThat(high.put(0, true)).isTrue();
      assertThat(high.put(1024, true)).as("a third piece of 2 MiB").isFalse();
      assertThat(high.put(1, true)).as("in the second").isTrue();
      assertThat(first.device().shared().keptUsage().highWaterBytes()).isLessThan(5 << 20);
    }
  }

  @Test
  void nothingIsSharedWhereItIsSwitchedOff() {
    second.close();
    second = open(1, Map.of(GpuOptions.GRID_IPC.key(), "false"));
    try (BlockFields taker = block(second, 1, new Random(2))) {
      assertThat(taker.share(FaceBlocks.PLAN.extended(0), 2, 2)).isEmpty();
    }
    ExtendedBlock onHeap = FaceBlocks.PLAN.extended(0);
    assertThat(new BlockArrays(FaceBlocks.TYPE, onHeap, 2).share(onHeap, 2, 2)).isEmpty();
  }
}
