/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Makes a file of HDF5, the storage of NetCDF-4, with one field {@code t}: floats whose bytes are
 * shuffled and deflated, a chunk for each step. All cores make chunks, so that a machine without
 * Python has a large file soon.
 */
final class DeflatedField {
  static final int ROWS = 512;
  static final int COLUMNS = 1024;

  private static final int LEVEL = 4;
  private static final int AT_ONCE = 64;
  private static final int MOST_STEPS = 1 << 15; // one node has all chunks
  private static final long NOWHERE = -1;
  private static final int HEADERS = 4096;
  private static final int KEY_BYTES = 40;

  /** Where a chunk lies. */
  private record Chunk(long address, int bytes) {}

  private DeflatedField() {}

  /** Writes the file, in place of one that is there. */
  static void write(Path file, int steps) throws IOException {
    if (steps < 1 || steps > MOST_STEPS) {
      throw new IllegalArgumentException(
          "a file has 1 to %d steps, not %d; name more files".formatted(MOST_STEPS, steps));
    }
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      List<Chunk> chunks = new ArrayList<>();
      long end = HEADERS;
      for (int first = 0; first < steps; first += AT_ONCE) {
        List<byte[]> made =
            IntStream.range(first, Math.min(steps, first + AT_ONCE))
                .parallel()
                .mapToObj(DeflatedField::chunk)
                .toList();
        for (byte[] bytes : made) {
          writeAt(channel, ByteBuffer.wrap(bytes), end);
          chunks.add(new Chunk(end, bytes.length));
          end += bytes.length;
        }
      }
      ByteBuffer tree = tree(chunks);
      writeAt(channel, tree, end);
      writeAt(channel, headers(steps, end, end + tree.limit()), 0);
    }
  }

  private static void writeAt(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    for (long to = at; bytes.hasRemaining(); ) {
      to += channel.write(bytes, to);
    }
  }

  /** Returns the temperature of a cell without noise. */
  private static double wave(int step, int row, int column) {
    return 280 + 20 * Math.sin(row / 97D + step / 9D) * Math.cos(column / 61D);
  }

  /** Returns the cells of a step. */
  static float[] cells(int step) {
    SplittableRandom random = new SplittableRandom(step);
    float[] cells = new float[ROWS * COLUMNS];
    for (int cell = 0; cell < cells.length; cell++) {
      cells[cell] =
          (float) (wave(step, cell / COLUMNS, cell % COLUMNS) + 0.05 * random.nextGaussian());
    }
    return cells;
  }

  private static byte[] chunk(int step) {
    float[] cells = cells(step);
    byte[] shuffled = new byte[cells.length * Float.BYTES];
    for (int cell = 0; cell < cells.length; cell++) {
      int bits = Float.floatToRawIntBits(cells[cell]);
      for (int part = 0; part < Float.BYTES; part++) {
        shuffled[part * cells.length + cell] = (byte) (bits >>> (Byte.SIZE * part));
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(shuffled.length);
    Deflater deflater = new Deflater(LEVEL);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater, 1 << 16)) {
      out.write(shuffled);
    } catch (IOException e) {
      throw new IllegalStateException(e); // memory takes all
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  private static ByteBuffer bytes(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer signed(ByteBuffer bytes, String signature) {
    return bytes.put(signature.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns the only node of the index of chunks. */
  private static ByteBuffer tree(List<Chunk> chunks) {
    int room = 2 * halfOfNode(chunks.size());
    ByteBuffer tree = bytes(24 + (room + 1) * KEY_BYTES + room * Long.BYTES);
    signed(tree, "TREE").put((byte) 1).put((byte) 0).putShort((short) chunks.size());
    tree.putLong(NOWHERE).putLong(NOWHERE);
    for (int step = 0; step <= chunks.size(); step++) {
      boolean end = step == chunks.size();
      tree.putInt(end ? 0 : chunks.get(step).bytes()).putInt(0);
      tree.putLong(step).putLong(0).putLong(0).putLong(0);
      if (!end) {
        tree.putLong(chunks.get(step).address());
      }
    }
    return tree.rewind();
  }

  private static int halfOfNode(int entries) {
    return Math.max(32, (entries + 1) / 2);
  }

  /** Returns what lies before the chunks: the superblock, the group of the root, and the array. */
  private static ByteBuffer headers(int steps, long tree, long end) {
    int group = 128;
    int links = 256;
    int table = 1024;
    int heap = 1536;
    int array = 2048;
    ByteBuffer all = bytes(HEADERS);
    all.putLong(0x0a1a0a0d46444889L).put((byte) 1).put(new byte[4]).put((byte) 8).put((byte) 8);
    all.put((byte) 0).putShort((short) 4).putShort((short) 16).putInt(0);
    all.putShort((short) halfOfNode(steps)).putShort((short) 0);
    all.putLong(0).putLong(NOWHERE).putLong(end).putLong(NOWHERE);
    all.putLong(0).putLong(group).putInt(1).putInt(0).putLong(links).putLong(heap);
    putHeader(all.position(group), message(0x11, bytes(16).putLong(links).putLong(heap)));
    signed(all.position(links), "TREE").put((byte) 0).put((byte) 0).putShort((short) 1);
    all.putLong(NOWHERE).putLong(NOWHERE).putLong(0).putLong(table).putLong(8);
    signed(all.position(table), "SNOD").put((byte) 1).put((byte) 0).putShort((short) 1);
    all.putLong(8).putLong(array);
    signed(all.position(heap), "HEAP").putInt(0).putLong(16).putLong(1).putLong(heap + 32L);
    all.putLong(0).put((byte) 't');
    ByteBuffer space = bytes(32).put((byte) 1).put((byte) 3).position(8);
    space.putLong(steps).putLong(ROWS).putLong(COLUMNS);
    ByteBuffer type = bytes(24).put(new byte[] {0x11, 0x20, 0x1f, 0}).putInt(Float.BYTES);
    type.putShort((short) 0).putShort((short) 32).put(new byte[] {23, 8, 0, 23}).putInt(127);
    ByteBuffer filters = bytes(40).put((byte) 1).put((byte) 2).position(8);
    for (int[] filter : new int[][] {{2, Float.BYTES}, {1, LEVEL}}) {
      filters.putShort((short) filter[0]).putShort((short) 0).putShort((short) 1);
      filters.putShort((short) 1).putInt(filter[1]).putInt(0);
    }
    ByteBuffer layout = bytes(32).put((byte) 3).put((byte) 2).put((byte) 4).putLong(tree);
    layout.putInt(1).putInt(ROWS).putInt(COLUMNS).putInt(Float.BYTES);
    putHeader(
        all.position(array),
        message(0x1, space),
        message(0x3, type),
        message(0x5, bytes(8).put(new byte[] {2, 3, 2, 1})),
        message(0xb, filters),
        message(0x8, layout));
    return all.rewind();
  }

  private static ByteBuffer message(int kind, ByteBuffer body) {
    ByteBuffer message = bytes(8 + body.capacity());
    message.putShort((short) kind).putShort((short) body.capacity()).putInt(0);
    return message.put(body.rewind()).rewind();
  }

  private static void putHeader(ByteBuffer to, ByteBuffer... messages) {
    int length = Stream.of(messages).mapToInt(ByteBuffer::limit).sum();
    to.put((byte) 1).put((byte) 0).putShort((short) messages.length).putInt(1).putInt(length);
    to.putInt(0);
    for (ByteBuffer message : messages) {
      to.put(message);
    }
  }
}
