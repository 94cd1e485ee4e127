/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Indexes of chunks that are lists in the order of chunks: an entry is found by its number.
 *
 * @param storage the file
 * @param counts the chunks along each axis
 * @param filtered whether chunks have filters, and so a length each
 * @param chunkBytes the bytes of a chunk without filters
 * @param slots where an entry lies
 */
record ChunkList(Storage storage, List<Long> counts, boolean filtered, long chunkBytes, Slots slots)
    implements ChunkIndex {
  /** Tells where entries lie. */
  @FunctionalInterface
  interface Slots {
    /** Returns the address of an entry, or {@link Storage#NOWHERE} if it is not there. */
    long find(long number) throws IOException;
  }

  @Override
  public Optional<Entry> find(List<Long> key) throws IOException {
    long number = 0;
    for (int axis = 0; axis < counts.size(); axis++) {
      number = Math.addExact(Math.multiplyExact(number, counts.get(axis)), key.get(axis));
    }
    long slot = slots.find(number);
    if (slot == Storage.NOWHERE) {
      return Optional.empty();
    }
    int bytes = entryBytes(storage, filtered, chunkBytes);
    ByteBuffer from = storage.read(slot, bytes);
    long address = storage.offset(from);
    if (address == Storage.NOWHERE) {
      return Optional.empty();
    }
    return Optional.of(
        filtered
            ? new Entry(
                address, Storage.unsigned(from, bytes - storage.offsetBytes() - 4), from.getInt())
            : new Entry(address, chunkBytes, 0));
  }

  /** Returns the bytes of an entry: an address, and with filters a length and a mask. */
  static int entryBytes(Storage storage, boolean filtered, long chunkBytes) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(chunkBytes);
    int lengthBytes = Math.min(8, 1 + (bits - 1 + 8) / 8);
    return storage.offsetBytes() + (filtered ? lengthBytes + 4 : 0);
  }

  /** The entries of an array whose axes do not grow lie in one block, or in pages of it. */
  static Slots fixed(Storage storage, long address, int entryBytes) throws IOException {
    int headerBytes = 8 + storage.lengthBytes() + storage.offsetBytes();
    ByteBuffer from = Storage.signed(storage.readChecked(address, headerBytes), "FAHD");
    from.getShort(); // version, and whether there are filters
    requireEntryBytes(from.get(), entryBytes);
    int pageBits = from.get();
    long entries = storage.length(from);
    long block = storage.offset(from);
    if (pageBits < 0 || pageBits > 30) {
      throw new IOException("an index of chunks has pages of 2^%d entries".formatted(pageBits));
    }
    if (block == Storage.NOWHERE) {
      return number -> Storage.NOWHERE;
    }
    long prefix = 6L + storage.offsetBytes();
    long pageEntries = 1L << pageBits;
    if (entries <= pageEntries) {
      Storage.signed(storage.readChecked(block, prefix + entries * entryBytes), "FADB");
      return number -> number < entries ? block + prefix + number * entryBytes : Storage.NOWHERE;
    }
    long pages = (entries + pageEntries - 1) / pageEntries;
    long bitmap = (pages + 7) / 8;
    Storage.signed(storage.readChecked(block, prefix + bitmap), "FADB");
    return number -> {
      long page = number / pageEntries;
      if (number >= entries || !isSet(storage, block + prefix, page)) {
        return Storage.NOWHERE;
      }
      long first = block + prefix + bitmap + 4 + page * (pageEntries * entryBytes + 4);
      storage.readChecked(first, Math.min(pageEntries, entries - page * pageEntries) * entryBytes);
      return first + number % pageEntries * entryBytes;
    };
  }

  /** Bits are counted from the highest of each byte. */
  static boolean isSet(Storage storage, long bits, long number) throws IOException {
    return (storage.read(bits + number / 8, 1).get() & 0x80 >> number % 8) != 0;
  }

  static void requireEntryBytes(int found, int wanted) throws IOException {
    if (found != wanted) {
      throw new IOException(
          "an index of chunks has entries of %d bytes, not %d".formatted(found, wanted));
    }
  }
}
