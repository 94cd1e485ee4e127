/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.SharedFace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A face that processes share by a file, as devices do by memory: a stamp and a slot for each of
 * some states, which change while others read. States that are kept have a file each, as long as
 * the process has room. Where {@link FaceFaults} say so, some faces are late, never come, or are
 * overwritten while they are read.
 */
final class FileFace implements SharedFace {
  private static final int STAMP_BYTES = 8;
  private static final int ODDS_OF_LOSS = 4;
  private static final Random RANDOM = new Random();
  private static final Executor LATE = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);
  private static final AtomicLong KEPT_BYTES = new AtomicLong(); // of all faces of the process

  private final BlockFields fields;
  private final ExtendedBlock taker;
  private final int count;
  private final int slots;
  private final Path file;
  private final FaceFaults faults;
  private final int[] states; // by slot
  private final TreeSet<Integer> reserved = new TreeSet<>(); // guarded by this
  private final TreeSet<Integer> kept = new TreeSet<>(); // guarded by this
  private volatile int bytes;

  /** Creates an empty file. */
  FileFace(Path folder, BlockFields fields, ExtendedBlock taker, int count, int slots) {
    this.fields = fields;
    this.taker = taker;
    this.count = count;
    this.slots = slots;
    states = new int[slots];
    Arrays.fill(states, -1);
    faults = FaceFaults.of(folder);
    file = folder.resolve(UUID.randomUUID() + ".face");
    ByteBuffer empty = ByteBuffer.allocate(Integer.BYTES + slots * STAMP_BYTES);
    write(file, empty.putInt(slots).rewind());
  }

  private static void write(Path where, ByteBuffer what) {
    try (FileChannel channel =
        FileChannel.open(where, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(what);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte[] ticket() {
    return ticketOf(file);
  }

  private static byte[] ticketOf(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public int slots() {
    return slots;
  }

  private static long slotAt(int state, int slots, int bytes) {
    return Integer.BYTES + slots * (long) STAMP_BYTES + (long) Math.floorMod(state, slots) * bytes;
  }

  private static long stampAt(int state, int slots) {
    return Integer.BYTES + (long) Math.floorMod(state, slots) * STAMP_BYTES;
  }

  /** Returns the stamp of a state; 0 is that of none. */
  private static ByteBuffer stamp(long state) {
    return ByteBuffer.allocate(STAMP_BYTES).putLong(state + 1).flip();
  }

  private Path fileOf(int state) {
    return file.resolveSibling(file.getFileName() + "." + state);
  }

  /** Reserves room for a state, unless the process has none. */
  private synchronized boolean reserve(int state, int faceBytes) {
    if (reserved.contains(state)) {
      return true;
    }
    if (KEPT_BYTES.addAndGet(faceBytes) > faults.keptBytes()) {
      KEPT_BYTES.addAndGet(-faceBytes);
      return false;
    }
    return reserved.add(state);
  }

  /** Keeps the state whose slot another takes. */
  private synchronized void keep(int old) {
    if (reserved.contains(old) && kept.add(old)) {
      ByteBuffer face = ByteBuffer.allocate(Integer.BYTES + STAMP_BYTES + bytes);
      face.putInt(1).put(stamp(old)).put(read(file, old, slots, bytes));
      write(fileOf(old), face.flip());
    }
  }

  @Override
  public boolean put(int state, boolean keeps) {
    ByteBuffer face = fields.pack(taker, 0, count);
    bytes = face.remaining();
    boolean room = keeps && reserve(state, bytes);
    int slot = Math.floorMod(state, slots);
    if (states[slot] >= 0 && states[slot] != state) {
      keep(states[slot]);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(stamp(-1), stampAt(state, slots));
      channel.write(face, slotAt(state, slots, bytes));
      if (!faults.happens()) {
        channel.write(stamp(state), stampAt(state, slots));
      } else if (RANDOM.nextInt(ODDS_OF_LOSS) > 0) {
        LATE.execute(() -> writeLate(state, slot));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    states[slot] = state;
    return room;
  }

  private void writeLate(int state, int slot) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (states[slot] == state) {
        channel.write(stamp(state), stampAt(state, slots));
      }
    } catch (IOException e) {
      System.getLogger(FileFace.class.getName())
          .log(System.Logger.Level.DEBUG, "a face is gone: {0}", e.getMessage());
    }
  }

  @Override
  public synchronized Optional<ByteBuffer> get(int state) {
    if (kept.contains(state)) {
      return Optional.of(read(fileOf(state), state, 1, bytes));
    }
    return states[Math.floorMod(state, slots)] == state
        ? Optional.of(read(file, state, slots, bytes))
        : Optional.empty();
  }

  private static ByteBuffer read(Path path, int state, int slots, int bytes) {
    ByteBuffer face = ByteBuffer.allocate(bytes);
    try (FileChannel channel = FileChannel.open(path)) {
      channel.read(face, slotAt(state, slots, bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return face.flip();
  }

  @Override
  public synchronized List<Integer> states() {
    TreeSet<Integer> all = new TreeSet<>(kept);
    for (int state : states) {
      if (state >= 0) {
        all.add(state);
      }
    }
    return List.copyOf(all);
  }

  @Override
  public synchronized List<Kept> kept() {
    return kept.stream().map(state -> new Kept(state, state + 1, ticketOf(fileOf(state)))).toList();
  }

  @Override
  public synchronized long keptBytes() {
    return (long) reserved.size() * bytes;
  }

  @Override
  public synchronized void giveUpBefore(int state) {
    List<Integer> gone = new ArrayList<>(kept.headSet(state));
    gone.forEach(each -> delete(fileOf(each)));
    kept.removeAll(gone);
    KEPT_BYTES.addAndGet(-(long) reserved.headSet(state).size() * bytes);
    reserved.headSet(state).clear();
  }

  /**
   * Takes the face of a state from a file.
   *
   * @param bytes those of the face
   * @return whether it was there before and after
   */
  static boolean take(
      byte[] ticket, int giver, BlockFields fields, int count, int state, int bytes) {
    Path file = Path.of(new String(ticket, StandardCharsets.UTF_8));
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer size = ByteBuffer.allocate(Integer.BYTES);
      channel.read(size, 0);
      int slots = size.getInt(0);
      if (!has(channel, state, slots)) {
        return false;
      }
      ByteBuffer face = ByteBuffer.allocate(bytes);
      channel.read(face, slotAt(state, slots, bytes));
      boolean overwritten = FaceFaults.of(file.getParent()).happens();
      if (overwritten) {
        RANDOM.nextBytes(face.array());
      }
      fields.unpack(giver, 0, count, face.flip());
      return has(channel, state, slots) && !overwritten;
    } catch (IOException e) {
      return false; // its owner has ended
    }
  }

  private static boolean has(FileChannel channel, int state, int slots) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(STAMP_BYTES);
    channel.read(found, stampAt(state, slots));
    return found.flip().equals(stamp(state));
  }

  void delete() {
    giveUpBefore(Integer.MAX_VALUE);
    delete(file);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
