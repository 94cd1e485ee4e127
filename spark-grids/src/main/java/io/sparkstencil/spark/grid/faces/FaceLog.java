/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The log of faces in the block managers. A face is there in pieces, under one number of an RDD and
 * consecutive indices, and is put piece by piece in their order.
 */
public final class FaceLog {
  /** Bytes that were put in the block manager. */
  public record Put(int id, int index) {}

  private static final System.Logger LOG = System.getLogger(FaceLog.class.getName());

  /** After so long a fetch is looked after. */
  private static final long SLOW_MILLIS = 200;

  /** The bytes before the elements of an array. */
  private static final int HEADER_BYTES = 16;

  /** Whose the tickets of this process are, by their places. */
  private static final TicketPlaces TICKETS =
      new TicketPlaces(
          (place, ticket) -> BlockBytes.replace(place.id(), place.index(), ticket),
          FaceLog::removeHere);

  private static final long REGION_BYTES = regionBytes();

  private FaceLog() {}

  /** Returns the bytes of a region of G1, 1 for other collectors. */
  private static long regionBytes() {
    HotSpotDiagnosticMXBean options =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      return Boolean.parseBoolean(options.getVMOption("UseG1GC").getValue())
          ? Long.parseLong(options.getVMOption("G1HeapRegionSize").getValue())
          : 1;
    } catch (IllegalArgumentException | NullPointerException e) { // another virtual machine
      return 1;
    }
  }

  /** Returns what an array takes of the heap: large ones have whole regions. */
  public static long heapBytes(long arrayBytes) {
    return heapBytes(arrayBytes, REGION_BYTES);
  }

  /**
   * Returns what an array takes of the heap.
   *
   * @param region the bytes of a region of the collector
   */
  static long heapBytes(long arrayBytes, long region) {
    long bytes = HEADER_BYTES + arrayBytes;
    return 2 * bytes > region ? (bytes + region - 1) / region * region : bytes;
  }

  /**
   * Puts a face.
   *
   * @param id the number of the RDD
   * @param first the index of the first piece
   * @param onDisk whether it is to take no memory
   * @return what was not there before
   */
  public static List<Put> put(int id, int first, ByteBuffer face, boolean onDisk) {
    return put(id, first, face, onDisk, true);
  }

  /**
   * Puts a face.
   *
   * @param tells whether the driver is to know of it, so that others find it
   */
  static List<Put> put(int id, int first, ByteBuffer face, boolean onDisk, boolean tells) {
    List<Put> puts = new ArrayList<>();
    int index = first;
    for (int at = 0; at < face.limit(); at += FacePlan.PIECE_BYTES) {
      int bytes = Math.min(FacePlan.PIECE_BYTES, face.limit() - at);
      if (BlockBytes.put(id, index, onHeap(face.slice(at, bytes)), onDisk, tells)) {
        puts.add(new Put(id, index));
      }
      index++;
    }
    return puts;
  }

  /** Returns bytes on the heap, as others than those of the heap are used again for other faces. */
  private static ByteBuffer onHeap(ByteBuffer bytes) {
    return bytes.isDirect() ? ByteBuffer.allocate(bytes.remaining()).put(bytes).flip() : bytes;
  }

  /**
   * Tells the driver of a face that is here and that it does not know of.
   *
   * @return whether there was something to tell
   */
  public static boolean tell(int id, int first, long bytes) {
    boolean told = false;
    for (int index = first; index <= last(first, bytes); index++) {
      told |= BlockBytes.tell(id, index);
    }
    return told;
  }

  private static int last(int first, long bytes) {
    return first + (int) ((bytes - 1) / FacePlan.PIECE_BYTES);
  }

  /**
   * Puts what says where faces of cells are, in place of any other that there was.
   *
   * @param owner the cells, or what stands for them
   */
  public static void putTicket(Put place, ByteBuffer ticket, Object owner) {
    TICKETS.put(place, ticket, owner);
  }

  /**
   * Removes what says where faces of cells are that are gone, unless other cells of the block have
   * put theirs. If the driver does not answer, the run takes it along at its end.
   */
  public static void removeTicket(Put place, Object owner) {
    TICKETS.remove(place, owner);
  }

  private static void removeHere(Put place) {
    try {
      if (BlockBytes.isRunning()) {
        BlockBytes.removeHere(place.id(), place.index());
      }
    } catch (Exception e) { // Spark declares none
      LOG.log(System.Logger.Level.DEBUG, "a ticket for faces was not removed: {0}", e);
    }
  }

  /** Returns whether all pieces of a face are in this executor. */
  public static boolean isHere(int id, int first, long bytes) {
    return BlockBytes.isHere(id, last(first, bytes));
  }

  /** Returns whether all pieces of a face are somewhere; may ask the driver. */
  public static boolean isAnywhere(int id, int first, long bytes) {
    return isHere(id, first, bytes) || BlockBytes.isAnywhere(id, last(first, bytes));
  }

  /**
   * A piece that is being fetched, or is here.
   *
   * @param bytes of it
   */
  public record FacePiece(int id, int index, Future<Optional<ByteBuffer>> bytes) {}

  /**
   * A face that is being fetched.
   *
   * @param giver the block that gives it
   * @param pieces in their order
   */
  public record Fetch(int giver, List<FacePiece> pieces) {
    /** Returns the bytes of the face; nothing if a piece is not found. */
    public Optional<ByteBuffer> await() throws InterruptedException {
      List<ByteBuffer> found = new ArrayList<>();
      int bytes = 0;
      for (FacePiece piece : pieces) {
        Optional<ByteBuffer> part = FaceLog.await(piece);
        if (part.isEmpty()) {
          return Optional.empty();
        }
        found.add(part.get());
        bytes += part.get().remaining();
      }
      if (found.size() == 1) {
        return Optional.of(found.get(0));
      }
      ByteBuffer all = ByteBuffer.allocate(bytes);
      found.forEach(all::put);
      return Optional.of(all.flip());
    }

    /** Fetches no more. */
    public void cancel() {
      pieces.forEach(piece -> piece.bytes().cancel(true));
    }
  }

  /** Begins to fetch a face, wherever it is. */
  public static Fetch fetch(int giver, int id, int first, long bytes, ExecutorService fetchers) {
    List<FacePiece> pieces = new ArrayList<>();
    for (long at = 0; at < bytes; at += FacePlan.PIECE_BYTES) {
      int index = first + pieces.size();
      Optional<ByteBuffer> local = BlockBytes.local(id, index);
      pieces.add(
          new FacePiece(
              id,
              index,
              local.isPresent()
                  ? CompletableFuture.completedFuture(local)
                  : fetchers.submit(() -> BlockBytes.remote(id, index))));
    }
    return new Fetch(giver, pieces);
  }

  /**
   * A fetch that fails finds nothing: the executor that had the bytes is gone. Spark repeats such
   * fetches for many seconds, which nobody waits for when the driver has removed the executor.
   */
  private static Optional<ByteBuffer> await(FacePiece piece) throws InterruptedException {
    while (true) {
      try {
        return piece.bytes().get(SLOW_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (!BlockBytes.isAnywhere(piece.id(), piece.index())) {
          return Optional.empty();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        return Optional.empty();
      }
    }
  }
}
