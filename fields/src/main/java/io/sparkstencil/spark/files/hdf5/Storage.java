/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import io.sparkstencil.spark.files.cells.WindowedBytes;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The bytes of a file by their addresses. Metadata are read through windows, so that many small
 * structures cost few requests; their number is limited, so that a file that leads in circles ends.
 */
final class Storage {
  /** What stands for an address of nothing. */
  static final long NOWHERE = -1;

  /** The most bytes of one structure of metadata. */
  private static final long MOST_BYTES = 64 << 20;

  /** The most structures that opening an array or finding a chunk looks at. */
  private static final int MOST_READS = 1 << 17;

  private static final int MOST_CHECKED = 1 << 12;

  private final ChunkBytes file;
  private final WindowedBytes metadata;
  private final long base;
  private final int offsetBytes;
  private final int lengthBytes;
  private int reads;

  /** The lengths of structures that were compared with their checksums, by addresses. */
  private final Map<Long, Long> checked = new HashMap<>();

  Storage(ChunkBytes file, long base, int offsetBytes, int lengthBytes) {
    this.file = file;
    this.metadata = new WindowedBytes(file);
    this.base = base;
    this.offsetBytes = offsetBytes;
    this.lengthBytes = lengthBytes;
  }

  ChunkBytes file() {
    return file;
  }

  /** Returns the place in the file of an address. */
  long place(long address) throws IOException {
    if (address < 0 || address > file.length() - base) {
      throw new IOException(
          "the address %d lies outside the file of %d bytes".formatted(address, file.length()));
    }
    return base + address;
  }

  int offsetBytes() {
    return offsetBytes;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  /** Begins to count structures afresh. */
  void restart() {
    reads = 0;
  }

  /** Reads a structure of metadata. */
  ByteBuffer read(long address, long count) throws IOException {
    long start = place(address);
    if (count < 0 || count > MOST_BYTES || count > file.length() - start) {
      throw new IOException(
          "%d bytes at %d do not lie inside the file of %d bytes"
              .formatted(count, start, file.length()));
    }
    if (++reads > MOST_READS) {
      throw new IOException("more than %d structures lead to the array".formatted(MOST_READS));
    }
    return metadata.read(start, (int) count).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a structure of metadata behind which its checksum lies, and compares it. */
  ByteBuffer readChecked(long address, long count) throws IOException {
    ByteBuffer all = read(address, Math.addExact(count, Integer.BYTES));
    int stored = all.getInt((int) count);
    ByteBuffer structure = all.slice(0, (int) count).order(ByteOrder.LITTLE_ENDIAN);
    boolean known = Long.valueOf(count).equals(checked.get(address));
    int found = known ? stored : Lookup3.of(structure);
    if (stored != found) {
      throw new IOException(
          "the checksum of the structure at %d is %08x, and %08x is stored"
              .formatted(address, found, stored));
    }
    if (checked.size() < MOST_CHECKED) {
      checked.put(address, count);
    }
    return structure;
  }

  /** Reads as many bytes as there are, at most {@code count}. */
  ByteBuffer readUpTo(long address, long count) throws IOException {
    return read(address, Math.min(count, file.length() - place(address)));
  }

  /** Returns the next address. */
  long offset(ByteBuffer from) {
    return numberOrNowhere(from, offsetBytes);
  }

  /** Returns the next length. */
  long length(ByteBuffer from) throws IOException {
    long length = unsigned(from, lengthBytes);
    if (length < 0) {
      throw new IOException("a length is %s".formatted(Long.toUnsignedString(length)));
    }
    return length;
  }

  /** Returns the next address or limit of some bytes; all bits set are {@link #NOWHERE}. */
  static long numberOrNowhere(ByteBuffer from, int bytes) {
    long number = unsigned(from, bytes);
    return bytes < Long.BYTES && number == (1L << (Byte.SIZE * bytes)) - 1 ? NOWHERE : number;
  }

  /** Returns the next number of some bytes; one of eight bytes is negative from 2^63 on. */
  static long unsigned(ByteBuffer from, int bytes) {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      long next = from.get() & 0xff;
      number |= i < Long.BYTES ? next << (Byte.SIZE * i) : 0;
    }
    return number;
  }

  /** Checks that a structure begins with its four letters, and returns it behind them. */
  static ByteBuffer signed(ByteBuffer from, String letters) throws IOException {
    byte[] found = new byte[letters.length()];
    from.get(found);
    if (!new String(found, StandardCharsets.ISO_8859_1).equals(letters)) {
      throw new IOException("a structure %s does not begin as one".formatted(letters));
    }
    return from;
  }

  /** Returns a text that ends with a zero, or with the buffer. */
  static String text(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.duplicate().get(bytes);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    from.position(Math.min(from.limit(), from.position() + end + 1));
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }
}
