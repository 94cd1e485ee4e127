/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.kernels.program.shared.FaceMemory;
import io.sparkstencil.kernels.program.shared.FaceTicket;
import io.sparkstencil.model.ElementType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * A face in device memory that other processes map. Its stamp is wiped before its cells change, and
 * written when they are there: who finds the same stamp before and after reading has read them.
 *
 * <p>States that are to be kept have a place in further memory of the device, which is taken in
 * pieces of some states each. They are copied there, on the device, when another state takes their
 * slot. Nothing waits for anyone who reads.
 */
final class SharedOutbox implements SharedFace, AutoCloseable {
  /** The states of a piece of memory that keeps them; more where faces are small. */
  private static final int FEWEST_KEPT = 8;

  private static final int MOST_KEPT = 1024;
  private static final long PIECE_BYTES = 2 << 20;
  private static final int NONE = -1;

  private final ProgramDevice device;
  private final ElementType type;
  private final CudaStream stream;
  private final FaceMemory offered;
  private final LongConsumer gather;
  private final LongFunction<Optional<FaceMemory>> lend;
  private final int perPiece;
  private final SortedMap<Integer, FaceMemory> pieces = new ConcurrentSkipListMap<>();
  private volatile boolean closed;

  /**
   * Takes memory.
   *
   * @param stream in which the cells of the block change
   * @param offered memory without stamps, which is given back with this
   * @param lend gives memory for some states that are kept, as far as there is room
   * @param gather submits copies of the face to an address
   */
  SharedOutbox(
      ProgramDevice device,
      ElementType type,
      CudaStream stream,
      FaceMemory offered,
      LongFunction<Optional<FaceMemory>> lend,
      LongConsumer gather) {
    this.device = device;
    this.type = type;
    this.stream = stream;
    this.offered = offered;
    this.lend = lend;
    this.gather = gather;
    perPiece = statesPerPiece(offered.ticket().faceBytes());
    offered.wipe(stream);
  }

  /** Returns how many states a piece of memory keeps. */
  static int statesPerPiece(long faceBytes) {
    return (int) Math.max(FEWEST_KEPT, Math.min(MOST_KEPT, PIECE_BYTES / Math.max(1, faceBytes)));
  }

  @Override
  public byte[] ticket() {
    return offered.ticket().toBytes();
  }

  @Override
  public int slots() {
    return offered.ticket().slots();
  }

  @Override
  public boolean put(int state, boolean keeps) {
    boolean kept = keeps && reserve(state);
    int old = offered.stateIn(offered.ticket().slotOf(state));
    FaceMemory keeper = old == NONE || old == state ? null : keeperOf(old);
    try (BufferLease<PinnedBuffer> stamp = device.pinned().lease(FaceTicket.STAMP_BYTES)) {
      try {
        if (keeper != null) {
          keeper.begin(old, stream);
          stream.copy(offered.address(old), offered.ticket().faceBytes(), keeper.address(old));
        }
        offered.begin(state, stream);
        gather.accept(offered.address(state));
        if (keeper != null) {
          keeper.stamp(old, stream, stamp.buffer());
          stream.synchronize(); // the stamp's buffer is used again
        }
        offered.stamp(state, stream, stamp.buffer());
      } finally {
        stream.synchronize();
      }
    }
    if (keeper != null) {
      keeper.complete(old);
    }
    offered.complete(state);
    return kept;
  }

  /** Returns the memory where a state has a place, null for none. */
  private FaceMemory keeperOf(int state) {
    FaceMemory piece = pieces.get(state / perPiece);
    return piece != null && piece.isReserved(state) ? piece : null;
  }

  private boolean reserve(int state) {
    FaceMemory piece = pieces.get(state / perPiece);
    if (piece == null) {
      Optional<FaceMemory> lent = lend.apply(perPiece);
      if (lent.isEmpty()) {
        return false;
      }
      piece = lent.get();
      piece.wipe(stream);
      pieces.put(state / perPiece, piece);
    }
    piece.reserve(state);
    return true;
  }

  @Override
  public Optional<ByteBuffer> get(int state) {
    Optional<ByteBuffer> found = read(offered, state);
    if (found.isPresent()) {
      return found;
    }
    FaceMemory piece = pieces.get(state / perPiece);
    return piece == null
        ? Optional.empty()
        : read(piece, state).filter(same -> pieces.get(state / perPiece) == piece);
  }

  /** Reads a state that is there before and after. */
  private Optional<ByteBuffer> read(FaceMemory memory, int state) {
    if (closed || !memory.has(state)) {
      return Optional.empty();
    }
    long bytes = memory.ticket().faceBytes();
    ByteBuffer packed = HostCopies.read(device, type, memory.address(state), bytes);
    return closed || !memory.has(state) ? Optional.empty() : Optional.of(packed);
  }

  @Override
  public List<Integer> states() {
    TreeSet<Integer> all = new TreeSet<>(offered.states());
    pieces.values().forEach(piece -> all.addAll(piece.states()));
    return List.copyOf(all);
  }

  @Override
  public List<Kept> kept() {
    List<Kept> kept = new ArrayList<>();
    pieces.forEach(
        (number, piece) ->
            kept.add(
                new Kept(number * perPiece, (number + 1) * perPiece, piece.ticket().toBytes())));
    return kept;
  }

  @Override
  public long keptBytes() {
    return pieces.values().stream().mapToLong(FaceMemory::bytes).sum();
  }

  @Override
  public void giveUpBefore(int state) {
    List<Integer> gone = new ArrayList<>(pieces.headMap(state / perPiece).keySet());
    gone.forEach(number -> giveBack(pieces.remove(number)));
  }

  /** Gives memory back, without a stamp that anyone could believe. */
  private void giveBack(FaceMemory memory) {
    try {
      memory.wipe(stream);
      stream.synchronize();
    } catch (StencilException e) {
      System.getLogger(SharedOutbox.class.getName())
          .log(System.Logger.Level.DEBUG, "a face on a lost device: {0}", e.getMessage());
    } finally {
      memory.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    giveBack(offered);
    List.copyOf(pieces.values()).forEach(this::giveBack);
    pieces.clear();
  }
}
