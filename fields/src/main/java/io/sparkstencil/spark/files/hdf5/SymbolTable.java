/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** The older way of keeping the links of a group: a tree of tables, and a heap of names. */
final class SymbolTable {
  private static final int MOST_LEVELS = 32;

  private final Storage storage;
  private final ByteBuffer names;
  private final Map<String, Links.Link> links;

  private SymbolTable(Storage storage, ByteBuffer names, Map<String, Links.Link> links) {
    this.storage = storage;
    this.names = names;
    this.links = links;
  }

  /** Adds the links of a group. */
  static void read(Storage storage, ByteBuffer message, Map<String, Links.Link> links)
      throws IOException {
    long tree = storage.offset(message);
    long heap = storage.offset(message);
    int prefix = 8 + 2 * storage.lengthBytes() + storage.offsetBytes();
    ByteBuffer from = Storage.signed(storage.read(heap, prefix), "HEAP");
    from.position(8);
    long bytes = storage.length(from);
    storage.length(from.position(8 + storage.lengthBytes())); // the first free byte
    ByteBuffer read = storage.read(storage.offset(from), bytes);
    byte[] names = new byte[read.remaining()];
    read.get(names);
    new SymbolTable(storage, ByteBuffer.wrap(names), links).readNode(tree, MOST_LEVELS);
  }

  private void readNode(long address, int below) throws IOException {
    int prefix = 8 + 2 * storage.offsetBytes();
    ByteBuffer from = Storage.signed(storage.read(address, prefix), "TREE");
    int kind = from.get();
    int level = from.get();
    int count = from.getShort() & 0xffff;
    if (kind != 0 || level < 0 || level >= below) {
      throw new IOException(
          "a tree of links has a node of kind %d and level %d".formatted(kind, level));
    }
    int entry = storage.lengthBytes() + storage.offsetBytes();
    ByteBuffer entries = storage.read(address + prefix, (long) count * entry);
    long[] children = new long[count];
    for (int i = 0; i < count; i++) {
      entries.position(i * entry + storage.lengthBytes());
      children[i] = storage.offset(entries);
    }
    for (long child : children) {
      if (level > 0) {
        readNode(child, level);
      } else {
        readTable(child);
      }
    }
  }

  private void readTable(long address) throws IOException {
    ByteBuffer from = Storage.signed(storage.read(address, 8), "SNOD");
    int count = from.getShort(6) & 0xffff;
    int entry = 2 * storage.offsetBytes() + 24;
    ByteBuffer entries = storage.read(address + 8, (long) count * entry);
    for (int i = 0; i < count; i++) {
      entries.position(i * entry);
      String name = name(storage.offset(entries));
      long header = storage.offset(entries);
      int cached = entries.getInt();
      entries.getInt();
      links.put(
          name,
          cached == 2
              ? new Links.Link(Storage.NOWHERE, name(Integer.toUnsignedLong(entries.getInt())))
              : new Links.Link(header, ""));
    }
  }

  private String name(long at) throws IOException {
    if (at < 0 || at >= names.limit()) {
      throw new IOException("a name lies outside the heap of names");
    }
    return Storage.text(names.slice((int) at, names.limit() - (int) at));
  }
}
