/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.FaceKeeper;
import io.sparkstencil.model.ElementType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** Faces that are kept in device memory, which is taken in pieces of some states each. */
final class DeviceKeeper implements FaceKeeper, AutoCloseable {
  private static final long ALIGNMENT = 256;

  private final ProgramDevice device;
  private final ElementType type;
  private final CudaStream stream;
  private final long faceBytes;
  private final LongConsumer gather;
  private final int perPiece;
  private final SortedMap<Integer, BufferLease<DeviceBuffer>> pieces = new TreeMap<>();
  private final Set<Integer> states = new HashSet<>();
  private boolean closed;

  /**
   * Keeps nothing yet.
   *
   * @param stream in which the cells of the block change
   * @param gather submits copies of the face to an address
   */
  DeviceKeeper(
      ProgramDevice device,
      ElementType type,
      CudaStream stream,
      long faceBytes,
      LongConsumer gather) {
    this.device = device;
    this.type = type;
    this.stream = stream;
    this.faceBytes = faceBytes;
    this.gather = gather;
    perPiece = SharedOutbox.statesPerPiece(faceBytes);
  }

  private long slotBytes() {
    return (faceBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private long address(int state) {
    return pieces.get(state / perPiece).buffer().address() + state % perPiece * slotBytes();
  }

  @Override
  public synchronized boolean keep(int state) {
    if (closed) {
      return false;
    }
    if (!pieces.containsKey(state / perPiece)) {
      Optional<BufferLease<DeviceBuffer>> piece = device.shared().keep(perPiece * slotBytes());
      if (piece.isEmpty()) {
        return false;
      }
      pieces.put(state / perPiece, piece.get());
    }
    try {
      gather.accept(address(state));
    } finally {
      stream.synchronize();
    }
    states.add(state);
    return true;
  }

  @Override
  public synchronized Optional<ByteBuffer> get(int state) {
    return states.contains(state)
        ? Optional.of(HostCopies.read(device, type, address(state), faceBytes))
        : Optional.empty();
  }

  @Override
  public synchronized long keptBytes() {
    return pieces.values().stream().mapToLong(piece -> piece.buffer().bytes()).sum();
  }

  @Override
  public synchronized void giveUpBefore(int state) {
    List<Integer> gone = new ArrayList<>(pieces.headMap(state / perPiece).keySet());
    gone.forEach(piece -> giveBack(pieces.remove(piece)));
    states.removeIf(each -> each / perPiece < state / perPiece);
  }

  private static void giveBack(BufferLease<DeviceBuffer> piece) {
    try {
      piece.close();
    } catch (StencilException e) {
      System.getLogger(DeviceKeeper.class.getName())
          .log(System.Logger.Level.DEBUG, "faces on a lost device: {0}", e.getMessage());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    giveUpBefore(Integer.MAX_VALUE);
  }
}
