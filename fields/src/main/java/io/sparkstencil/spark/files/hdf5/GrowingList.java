/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The entries of an array with one growing axis: the first in an index block, more in data blocks
 * that become larger, of which the later ones are named in super blocks (an extensible array).
 */
final class GrowingList implements ChunkList.Slots {
  private final Storage storage;
  private final int entryBytes;
  private final int spaceBytes; // of a place among all entries
  private final int inIndex; // entries in the index block
  private final long firstEntries; // of the first data blocks
  private final int namedInIndex; // super blocks whose data blocks the index block names
  private final int blocksInIndex; // data blocks that it names
  private final long pageEntries;
  private final long index;
  private final int mostBits; // of the number of an entry

  GrowingList(Storage storage, long address, int entryBytes) throws IOException {
    this.storage = storage;
    this.entryBytes = entryBytes;
    int bytes = 12 + 6 * storage.lengthBytes() + storage.offsetBytes();
    ByteBuffer from = Storage.signed(storage.readChecked(address, bytes), "EAHD");
    from.getShort(); // version, and whether there are filters
    ChunkList.requireEntryBytes(from.get(), entryBytes);
    int bits = from.get();
    inIndex = from.get() & 0xff;
    firstEntries = from.get() & 0xff;
    int leastPointers = from.get() & 0xff;
    int pageBits = from.get();
    from.position(from.position() + 6 * storage.lengthBytes());
    index = storage.offset(from);
    mostBits = bits;
    spaceBytes = (bits + 7) / 8;
    pageEntries = 1L << Math.min(pageBits & 0xff, 62);
    boolean powers = Long.bitCount(firstEntries) == 1 && Integer.bitCount(leastPointers) == 1;
    if (!powers || bits < 0 || bits > 62) {
      throw new IOException("an index of chunks has blocks of %d entries".formatted(firstEntries));
    }
    namedInIndex = 2 * log2(leastPointers);
    blocksInIndex = 2 * (leastPointers - 1);
  }

  /** Returns how many super blocks the index block names: those behind the first groups. */
  private int superBlocks() {
    return 1 + mostBits - log2(firstEntries) - namedInIndex;
  }

  private static int log2(long number) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(number);
  }

  @Override
  public long find(long number) throws IOException {
    if (index == Storage.NOWHERE) {
      return Storage.NOWHERE;
    }
    long prefix = 6L + storage.offsetBytes();
    long indexBytes =
        prefix
            + (long) inIndex * entryBytes
            + (long) (blocksInIndex + superBlocks()) * storage.offsetBytes();
    Storage.signed(storage.readChecked(index, indexBytes), "EAIB");
    if (number < inIndex) {
      return index + prefix + number * entryBytes;
    }
    long rest = number - inIndex;
    int group = log2(rest / firstEntries + 1);
    long before = 0; // entries of earlier groups
    long blocksBefore = 0;
    for (int i = 0; i < group; i++) {
      before += (1L << (i / 2)) * entriesOf(i);
      blocksBefore += 1L << (i / 2);
    }
    long entries = entriesOf(group);
    long block = (rest - before) / entries;
    long at = (rest - before) % entries;
    long names = index + prefix + (long) inIndex * entryBytes;
    if (group < namedInIndex) {
      long data = address(names + (blocksBefore + block) * storage.offsetBytes());
      return data == Storage.NOWHERE ? data : inBlock(data, at, entries, Storage.NOWHERE, block);
    }
    long superNames = names + (long) blocksInIndex * storage.offsetBytes();
    long superBlock = address(superNames + (long) (group - namedInIndex) * storage.offsetBytes());
    if (superBlock == Storage.NOWHERE) {
      return superBlock;
    }
    long bits = superBlock + prefix + spaceBytes;
    long bitBytes = entries > pageEntries ? (entries / pageEntries + 7) / 8 : 0;
    long blocks = 1L << (group / 2);
    long superBytes = prefix + spaceBytes + blocks * (bitBytes + storage.offsetBytes());
    Storage.signed(storage.readChecked(superBlock, superBytes), "EASB");
    long data = address(bits + blocks * bitBytes + block * storage.offsetBytes());
    return data == Storage.NOWHERE ? data : inBlock(data, at, entries, bits, block);
  }

  /** Returns the entries of a data block of a group. */
  private long entriesOf(int group) {
    return firstEntries << ((group + 1) / 2);
  }

  private long address(long at) throws IOException {
    return storage.offset(storage.read(at, storage.offsetBytes()));
  }

  private long inBlock(long data, long at, long entries, long bits, long block) throws IOException {
    long prefix = 6L + storage.offsetBytes() + spaceBytes;
    long first = data + prefix;
    boolean paged = entries > pageEntries;
    Storage.signed(storage.readChecked(data, prefix + (paged ? 0 : entries * entryBytes)), "EADB");
    if (!paged) {
      return first + at * entryBytes;
    }
    long page = at / pageEntries;
    if (bits == Storage.NOWHERE) {
      throw new IOException(
          "block %d of an index of chunks has pages, and no bits".formatted(block));
    }
    // The bits of all data blocks of a super block follow each other.
    if (!ChunkList.isSet(storage, bits, block * (entries / pageEntries) + page)) {
      return Storage.NOWHERE;
    }
    long pageStart = first + 4 + page * (pageEntries * entryBytes + 4);
    storage.readChecked(pageStart, pageEntries * entryBytes);
    return pageStart + at % pageEntries * entryBytes;
  }
}
