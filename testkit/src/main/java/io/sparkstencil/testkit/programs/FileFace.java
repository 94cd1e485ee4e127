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
import java.util.Random;
import java.util.UUID;

/**
 * A face that processes share by a file, as devices do by memory: a stamp and a slot for each of
 * two states, which change while others read. On demand some faces are late, never come, or are
 * overwritten while they are read.
 */
final class FileFace implements SharedFace {
  private static final int STAMP_BYTES = 8;
  private static final int ODDS = 4;

  private final BlockFields fields;
  private final ExtendedBlock target;
  private final int count;
  private final Path file;
  private final Random faults; // or null
  private volatile int bytes;

  /**
   * Creates an empty file.
   *
   * @param faulty whether some faces are not there
   */
  FileFace(Path folder, BlockFields fields, ExtendedBlock target, int count, boolean faulty) {
    this.fields = fields;
    this.target = target;
    this.count = count;
    faults = faulty ? new Random() : null;
    file = folder.resolve(UUID.randomUUID() + ".face");
    try {
      Files.write(file, new byte[SLOTS * STAMP_BYTES], StandardOpenOption.CREATE_NEW);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte[] ticket() {
    return file.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static long slotAt(int state, int bytes) {
    return SLOTS * (long) STAMP_BYTES + (long) Math.floorMod(state, SLOTS) * bytes;
  }

  private static long stampAt(int state) {
    return (long) Math.floorMod(state, SLOTS) * STAMP_BYTES;
  }

  /** Returns the stamp of a state; 0 is that of none. */
  private static ByteBuffer stamp(long state) {
    return ByteBuffer.allocate(STAMP_BYTES).putLong(state + 1).flip();
  }

  @Override
  public void put(int state) {
    ByteBuffer face = fields.pack(target, 0, count);
    bytes = face.remaining();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(stamp(-1), stampAt(state));
      channel.write(face, slotAt(state, bytes));
      if (faults == null || faults.nextInt(ODDS) > 0) {
        channel.write(stamp(state), stampAt(state));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ByteBuffer get(int state) {
    ByteBuffer face = ByteBuffer.allocate(bytes);
    try (FileChannel channel = FileChannel.open(file)) {
      channel.read(face, slotAt(state, bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return face.flip();
  }

  /**
   * Takes the face of a state from a file.
   *
   * @param bytes those of the face
   * @param faulty whether some are overwritten meanwhile
   * @return whether it was there before and after
   */
  static boolean take(
      byte[] ticket,
      int source,
      BlockFields fields,
      int count,
      int state,
      int bytes,
      boolean faulty) {
    Path file = Path.of(new String(ticket, StandardCharsets.UTF_8));
    try (FileChannel channel = FileChannel.open(file)) {
      if (!has(channel, state)) {
        return false;
      }
      ByteBuffer face = ByteBuffer.allocate(bytes);
      channel.read(face, slotAt(state, bytes));
      boolean overwritten = faulty && new Random().nextInt(ODDS) == 0;
      if (overwritten) {
        new Random().nextBytes(face.array());
      }
      fields.unpack(source, 0, count, face.flip());
      return has(channel, state) && !overwritten;
    } catch (IOException e) {
      return false; // its owner has ended
    }
  }

  private static boolean has(FileChannel channel, int state) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(STAMP_BYTES);
    channel.read(found, stampAt(state));
    return found.flip().equals(stamp(state));
  }

  void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
