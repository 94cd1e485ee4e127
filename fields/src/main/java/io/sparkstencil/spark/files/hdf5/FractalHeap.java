/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A heap of small objects, of links and attributes where there are many. Its blocks double in size
 * from row to row of a table.
 */
final class FractalHeap {
  private static final int MOST_LEVELS = 8;

  private final Storage storage;
  private final int columns;
  private final long firstBytes; // of a block in the first row
  private final long mostDirectBytes;
  private final int spaceBytes; // of a place in the heap
  private final int lengthBytes; // of the length of an object
  private final int rootRows;
  private final long root;

  private FractalHeap(Storage storage, ByteBuffer from, long mostManaged) throws IOException {
    this.storage = storage;
    columns = from.getShort() & 0xffff;
    firstBytes = storage.length(from);
    mostDirectBytes = storage.length(from);
    int spaceBits = from.getShort() & 0xffff;
    from.getShort(); // rows at the beginning
    root = storage.offset(from);
    rootRows = from.getShort() & 0xffff;
    spaceBytes = (spaceBits + 7) / 8;
    lengthBytes = Math.min((log2(mostDirectBytes) + 7) / 8, log2(Math.max(mostManaged, 1)) / 8 + 1);
    boolean powers = Long.bitCount(firstBytes) == 1 && Long.bitCount(mostDirectBytes) == 1;
    if (!powers || columns == 0 || firstBytes > mostDirectBytes || spaceBits > 62) {
      throw new IOException(
          "a heap has blocks of %d to %d bytes".formatted(firstBytes, mostDirectBytes));
    }
  }

  static FractalHeap read(Storage storage, long address) throws IOException {
    int bytes = 22 + 12 * storage.lengthBytes() + 3 * storage.offsetBytes();
    ByteBuffer from = Storage.signed(storage.readChecked(address, bytes), "FRHP");
    int version = from.get();
    from.getShort(); // bytes of an identifier
    int filterBytes = from.getShort() & 0xffff;
    if (version != 0) {
      throw new IOException("the version of a heap is %d, not 0".formatted(version));
    }
    if (filterBytes > 0) {
      throw new UnsupportedHdf5("a compressed heap of links or attributes", "h5repack the file");
    }
    from.get(); // flags
    long mostManaged = Integer.toUnsignedLong(from.getInt());
    from.position(from.position() + 10 * storage.lengthBytes() + 2 * storage.offsetBytes());
    return new FractalHeap(storage, from, mostManaged);
  }

  private static int log2(long number) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(number);
  }

  /** Returns the bytes of an object, little-endian, by what identifies it. */
  ByteBuffer object(ByteBuffer identifier) throws IOException {
    int first = identifier.get() & 0xff;
    int kind = first >> 4 & 3;
    if (kind == 2) {
      int length = (first & 0xf) + 1;
      return copy(identifier.slice(identifier.position(), length));
    }
    if (kind != 0) {
      throw new UnsupportedHdf5("a link or an attribute of more than 64 KiB", "store it without");
    }
    long at = Storage.unsigned(identifier, spaceBytes);
    long length = Storage.unsigned(identifier, lengthBytes);
    if (at < 0 || length < 0 || length > mostDirectBytes) {
      throw new IOException("an object of %d bytes lies at %d of a heap".formatted(length, at));
    }
    return rootRows == 0
        ? copy(storage.read(root + at, length))
        : find(root, 0, rootRows, at, length, MOST_LEVELS);
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    byte[] copied = new byte[bytes.remaining()];
    bytes.get(copied);
    return ByteBuffer.wrap(copied).order(ByteOrder.LITTLE_ENDIAN);
  }

  private long blockBytes(int row) {
    return row == 0 ? firstBytes : firstBytes << (row - 1);
  }

  /** Looks for an object below an indirect block, whose space begins at {@code start}. */
  private ByteBuffer find(long block, long start, int rows, long at, long length, int levels)
      throws IOException {
    int directRows = log2(mostDirectBytes) - log2(firstBytes) + 2;
    long space = start;
    for (int row = 0; row < rows && row < Long.SIZE - 2 - log2(firstBytes); row++) {
      long bytes = blockBytes(row);
      if (at < space + bytes * columns) {
        long column = (at - space) / bytes;
        long prefix = 5L + storage.offsetBytes() + spaceBytes;
        long entry = prefix + (row * (long) columns + column) * storage.offsetBytes();
        long blockBytes = prefix + (long) rows * columns * storage.offsetBytes();
        ByteBuffer entries = Storage.signed(storage.readChecked(block, blockBytes), "FHIB");
        long child = storage.offset(entries.position(Math.toIntExact(entry)));
        long childStart = space + column * bytes;
        if (child == Storage.NOWHERE || levels == 0) {
          throw new IOException("an object lies in a block of a heap that is not there");
        }
        return row < directRows
            ? copy(storage.read(child + (at - childStart), length))
            : find(
                child,
                childStart,
                log2(bytes) - log2(firstBytes * columns) + 1,
                at,
                length,
                levels - 1);
      }
      space += bytes * columns;
    }
    throw new IOException("an object lies behind the blocks of a heap");
  }
}
