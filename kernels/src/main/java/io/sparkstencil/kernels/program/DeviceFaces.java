/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FaceKeeper;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.HaloPart;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.kernels.program.shared.FaceMemory;
import io.sparkstencil.kernels.program.shared.FaceTicket;
import io.sparkstencil.kernels.program.shared.PeerMemory;
import io.sparkstencil.kernels.program.shared.SharedInbox;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The faces of a block in device memory that go to other devices: of this process, by copies from
 * one to the other, and of other processes of this host, through memory that both have mapped.
 */
final class DeviceFaces implements AutoCloseable {
  /** Narrower rows are put together first: one long copy leaves a device faster than many short. */
  private static final long WIDE_BYTES = 1024;

  private static final long MOST_STAGED_BYTES = 256 << 20;

  private final ProgramDevice device;
  private final ElementType type;
  private final ExtendedBlock place;
  private final DeviceProgram program;
  private final Map<Integer, SharedOutbox> outboxes = new HashMap<>(); // guarded by this
  private final Map<Integer, DeviceKeeper> keepers = new HashMap<>(); // guarded by this
  private final Map<Integer, SharedInbox> inboxes = new HashMap<>(); // guarded by this

  DeviceFaces(ProgramDevice device, ElementType type, ExtendedBlock place, DeviceProgram program) {
    this.device = device;
    this.type = type;
    this.place = place;
    this.program = program;
  }

  private CudaStream stream() {
    return program.stream();
  }

  private PrimaryContext context() {
    return device.context();
  }

  /**
   * Fills parts of the halo from a block on another device; they are there when what was submitted
   * to the stream is done.
   *
   * @return whether there was memory to do so
   */
  synchronized boolean takeFrom(DeviceFaces there, int first, int end) {
    List<HaloPart> narrow = new ArrayList<>();
    List<HaloPart> wide = new ArrayList<>();
    for (HaloPart part : place.partsOf(there.place.block())) {
      (rowBytes(part) < WIDE_BYTES ? narrow : wide).add(part);
    }
    if (!narrow.isEmpty() && !takeTogether(there, narrow, first, end)) {
      return false;
    }
    for (HaloPart part : wide) {
      Box shifted = there.place.extended().shifted(part.shift());
      for (int field = first; field < end; field++) {
        BoxCopies.copyFrom(
            stream(),
            there.context(),
            there.program.current(field),
            shifted,
            program.current(field),
            place.extended(),
            part.to());
      }
    }
    return true;
  }

  private long rowBytes(HaloPart part) {
    return (long) part.to().size(part.to().dimensions() - 1) * type.bytes();
  }

  /** Takes parts by one copy between the devices. */
  private boolean takeTogether(DeviceFaces there, List<HaloPart> parts, int first, int end) {
    long bytes = FacePlan.cells(parts) * (end - first) * type.bytes();
    if (bytes > mostStaged()) {
      return false;
    }
    try (BufferLease<DeviceBuffer> far = there.gathered(parts, first, end, bytes);
        BufferLease<DeviceBuffer> near = device.lease(bytes, stream())) {
      try {
        long address = near.buffer().address();
        stream().copyFrom(there.context(), far.buffer().address(), bytes, address);
        scatter(parts, first, end, address);
      } finally {
        stream().synchronize();
      }
      return true;
    } catch (DeviceOutOfMemoryException e) {
      return false; // others have it now
    }
  }

  private long mostStaged() {
    return Math.min(MOST_STAGED_BYTES, device.memoryBytes() / 8);
  }

  /** Returns the cells of parts one after the other, in memory of this device. */
  private BufferLease<DeviceBuffer> gathered(List<HaloPart> parts, int first, int end, long bytes) {
    ProgramLane lane = device.takeLane(); // several blocks may read this one at the same time
    try {
      BufferLease<DeviceBuffer> lease = device.lease(bytes, lane.main());
      try {
        gather(lane.main(), parts, first, end, lease.buffer().address());
        lane.main().synchronize();
        return lease;
      } catch (RuntimeException e) {
        lease.close();
        throw e;
      }
    } finally {
      device.giveBack(lane);
    }
  }

  private void gather(CudaStream stream, List<HaloPart> parts, int first, int end, long address) {
    long at = address;
    for (HaloPart part : parts) {
      for (int field = first; field < end; field++) {
        at += BoxCopies.gather(stream, program.current(field), place.extended(), part.from(), at);
      }
    }
  }

  private void scatter(List<HaloPart> parts, int first, int end, long address) {
    long at = address;
    for (HaloPart part : parts) {
      for (int field = first; field < end; field++) {
        at += BoxCopies.scatter(stream(), at, program.current(field), place.extended(), part.to());
      }
    }
  }

  /**
   * Copies the cells of parts to memory of the host, by one copy; they are there then.
   *
   * @return whether that memory is near to this device, which had room to put them together
   */
  synchronized boolean copyOut(List<HaloPart> parts, int first, int end, PinnedFace face) {
    return copyTogether(
        parts,
        end - first,
        face,
        (near, pinned, bytes) -> {
          gather(stream(), parts, first, end, near);
          stream().copyOut(near, bytes, pinned);
        });
  }

  /** Fills parts of the halo from memory of the host, as {@link #copyOut} does it. */
  synchronized boolean copyIn(List<HaloPart> parts, int first, int end, PinnedFace face) {
    return copyTogether(
        parts,
        end - first,
        face,
        (near, pinned, bytes) -> {
          stream().copyIn(pinned, bytes, near);
          scatter(parts, first, end, near);
        });
  }

  /** Submits copies between memory of this device and of the host. */
  private interface LinkCopies {
    void submit(long near, PinnedBuffer pinned, long bytes);
  }

  private boolean copyTogether(
      List<HaloPart> parts, int fields, PinnedFace face, LinkCopies copies) {
    long bytes = FacePlan.cells(parts) * fields * type.bytes();
    if (!face.isOf(device) || bytes > mostStaged()) {
      return false;
    }
    PinnedBuffer pinned = face.buffer(bytes);
    try (BufferLease<DeviceBuffer> near = device.lease(bytes, stream())) {
      try {
        copies.submit(near.buffer().address(), pinned, bytes);
      } finally {
        stream().synchronize(); // nobody uses the memory of the host any more
      }
      return true;
    } catch (DeviceOutOfMemoryException e) {
      return false; // others have it now
    }
  }

  /**
   * Returns memory in which a block of another process finds its face; nothing if there is none.
   */
  synchronized Optional<SharedFace> share(ExtendedBlock taker, int count, int slots) {
    SharedOutbox known = outboxes.get(taker.block());
    if (known != null) {
      return Optional.of(known);
    }
    List<HaloPart> parts = taker.partsOf(place.block());
    long faceBytes = FacePlan.cells(parts) * count * type.bytes();
    return memory(faceBytes, slots, device.shared()::lend)
        .map(
            offered -> {
              SharedOutbox made =
                  new SharedOutbox(
                      device,
                      type,
                      stream(),
                      offered,
                      states -> memory(faceBytes, (int) states, device.shared()::lendToKeep),
                      address -> gather(stream(), parts, 0, count, address));
              outboxes.put(taker.block(), made);
              return made;
            });
  }

  /** Returns what keeps the faces for a block on this device. */
  synchronized FaceKeeper keeper(ExtendedBlock taker, int count) {
    return keepers.computeIfAbsent(
        taker.block(),
        same -> {
          List<HaloPart> parts = taker.partsOf(place.block());
          long faceBytes = FacePlan.cells(parts) * count * type.bytes();
          return new DeviceKeeper(
              device,
              type,
              stream(),
              faceBytes,
              address -> gather(stream(), parts, 0, count, address));
        });
  }

  /** Returns memory for some states of a face, if there is room. */
  private Optional<FaceMemory> memory(
      long faceBytes, int slots, LongFunction<Optional<PeerMemory.Lent>> lend) {
    String uuid = context().traits().uuid();
    return lend.apply(FaceTicket.of(uuid, new byte[0], faceBytes, slots).bytes())
        .map(lent -> new FaceMemory(lent, FaceTicket.of(uuid, lent.handle(), faceBytes, slots)));
  }

  /** Fills parts of the halo with what a block of another process shares, if it is there. */
  synchronized boolean takeShared(byte[] ticket, int giver, int count, int state) {
    SharedInbox inbox = inboxes.get(giver);
    if (inbox == null || !inbox.isOf(ticket)) {
      if (inbox != null) {
        inboxes.remove(giver).close();
      }
      FaceTicket read = FaceTicket.ofBytes(ticket);
      inbox =
          device
              .shared()
              .map(read)
              .map(
                  mapping -> new SharedInbox(device.pinned(), device::lease, ticket, read, mapping))
              .orElse(null);
      if (inbox == null) {
        return false;
      }
      inboxes.put(giver, inbox);
    }
    List<HaloPart> parts = place.partsOf(giver);
    long bytes = FacePlan.cells(parts) * count * type.bytes();
    return inbox.take(state, bytes, stream(), from -> scatterFar(parts, count, from, bytes));
  }

  /** Fills parts of the halo from memory of another device, by one long copy if there is room. */
  private void scatterFar(List<HaloPart> parts, int count, long from, long bytes) {
    if (parts.stream().allMatch(part -> rowBytes(part) >= WIDE_BYTES) || bytes > mostStaged()) {
      scatter(parts, 0, count, from);
      return;
    }
    try (BufferLease<DeviceBuffer> near = device.lease(bytes, stream())) {
      stream().copy(from, bytes, near.buffer().address());
      scatter(parts, 0, count, near.buffer().address());
      stream().synchronize();
    } catch (DeviceOutOfMemoryException e) {
      scatter(parts, 0, count, from);
    }
  }

  @Override
  public synchronized void close() {
    try (CloseScope all = new CloseScope()) {
      outboxes.values().forEach(all::add);
      keepers.values().forEach(all::add);
      inboxes.values().forEach(all::add);
    }
    outboxes.clear();
    keepers.clear();
    inboxes.clear();
  }
}
