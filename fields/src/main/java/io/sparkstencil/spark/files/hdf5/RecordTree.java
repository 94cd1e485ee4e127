/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The newer kind of tree: nodes with records of one size (a B-tree of version 2). */
final class RecordTree {
  private static final int PREFIX_BYTES = 10; // letters, version, kind, and a checksum
  private static final int MOST_DEPTH = 16;

  private final Storage storage;
  private final int recordBytes;
  private final int nodeBytes;
  private final int mostRecords;
  private final List<ByteBuffer> records = new ArrayList<>();
  private long[] mostBelow = new long[1]; // by depth, the records of a node and below it
  private int[] mostInNode = new int[1];

  private RecordTree(Storage storage, int recordBytes, int nodeBytes, int mostRecords) {
    this.storage = storage;
    this.recordBytes = recordBytes;
    this.nodeBytes = nodeBytes;
    this.mostRecords = mostRecords;
  }

  /** Returns all records, each little-endian from its start. */
  static List<ByteBuffer> all(Storage storage, long address, int kind, int mostRecords)
      throws IOException {
    int bytes = 16 + storage.offsetBytes() + 2 + storage.lengthBytes();
    ByteBuffer from = Storage.signed(storage.readChecked(address, bytes), "BTHD");
    int version = from.get();
    int found = from.get();
    int nodeBytes = from.getInt();
    int recordBytes = from.getShort() & 0xffff;
    int depth = from.getShort() & 0xffff;
    from.getShort(); // when nodes are split and merged
    long root = storage.offset(from);
    int count = from.getShort() & 0xffff;
    long records = storage.length(from);
    if (version != 0 || found != kind || depth > MOST_DEPTH || recordBytes < 1) {
      throw new IOException(
          "a tree has version %d, records of kind %d and %d levels"
              .formatted(version, found, depth));
    }
    if (records > mostRecords) {
      throw new UnsupportedHdf5(
          "%d chunks, links or attributes in one tree, more than %d"
              .formatted(records, mostRecords),
          "store larger chunks, by h5repack -l CHUNK=, or divide it");
    }
    RecordTree tree = new RecordTree(storage, recordBytes, nodeBytes, mostRecords);
    tree.measure(depth);
    if (root != Storage.NOWHERE) {
      tree.readNode(root, count, depth);
    }
    return tree.records;
  }

  /** Finds how many bytes the numbers in nodes have: as many as the largest needs. */
  private void measure(int depth) {
    mostBelow = new long[depth + 1];
    mostInNode = new int[depth + 1];
    mostInNode[0] = (nodeBytes - PREFIX_BYTES) / recordBytes;
    mostBelow[0] = mostInNode[0];
    for (int level = 1; level <= depth; level++) {
      int pointer = pointerBytes(level);
      mostInNode[level] = (nodeBytes - PREFIX_BYTES - pointer) / (recordBytes + pointer);
      mostBelow[level] = (mostInNode[level] + 1) * mostBelow[level - 1] + mostInNode[level];
    }
  }

  private int pointerBytes(int level) {
    return storage.offsetBytes()
        + bytesFor(mostInNode[0])
        + (level > 1 ? bytesFor(mostBelow[level - 1]) : 0);
  }

  private static int bytesFor(long number) {
    return (Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(number, 1))) / Byte.SIZE + 1;
  }

  private void readNode(long address, int count, int level) throws IOException {
    if (records.size() + count > mostRecords) {
      throw new IOException("a tree has more than %d records".formatted(mostRecords));
    }
    int pointer = level == 0 ? 0 : pointerBytes(level);
    long bytes = 6 + (long) count * recordBytes + (count + 1L) * pointer;
    ByteBuffer from =
        Storage.signed(storage.readChecked(address, bytes), level == 0 ? "BTLF" : "BTIN");
    byte[] kept = new byte[count * recordBytes];
    from.position(6).get(kept);
    for (int i = 0; i < count; i++) {
      records.add(
          ByteBuffer.wrap(kept, i * recordBytes, recordBytes)
              .slice()
              .order(ByteOrder.LITTLE_ENDIAN));
    }
    long[] children = new long[level == 0 ? 0 : count + 1];
    int[] counts = new int[children.length];
    for (int i = 0; i < children.length; i++) {
      int at = 6 + count * recordBytes + i * pointer;
      children[i] = storage.offset(from.position(at));
      counts[i] = (int) Storage.unsigned(from, bytesFor(mostInNode[0])) & 0xffff;
    }
    for (int i = 0; i < children.length; i++) {
      readNode(children[i], counts[i], level - 1);
    }
  }
}
