/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The older index of chunks: a tree by the positions of their first cells. Only the nodes that lead
 * to a chunk are read.
 *
 * @param storage the file
 * @param root the address of the first node
 * @param chunk the cells of a chunk along each axis
 * @param nodes that were read last
 */
record ChunkTree(Storage storage, long root, List<Integer> chunk, Map<Long, ByteBuffer> nodes)
    implements ChunkIndex {
  private static final int MOST_LEVELS = 32;
  private static final int KEPT_NODES = 64;

  static ChunkTree of(Storage storage, long root, List<Integer> chunk) {
    return new ChunkTree(
        storage,
        root,
        chunk,
        new LinkedHashMap<>(KEPT_NODES, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, ByteBuffer> eldest) {
            return size() > KEPT_NODES;
          }
        });
  }

  @Override
  public Optional<Entry> find(List<Long> key) throws IOException {
    long[] wanted = new long[key.size()];
    for (int axis = 0; axis < wanted.length; axis++) {
      wanted[axis] = key.get(axis) * chunk.get(axis);
    }
    int keyBytes = 8 + 8 * (wanted.length + 1);
    int entryBytes = keyBytes + storage.offsetBytes();
    long address = root;
    int below = MOST_LEVELS;
    while (true) {
      ByteBuffer node = node(address, entryBytes, keyBytes);
      int level = node.get(5);
      int count = node.getShort(6) & 0xffff;
      if (level < 0 || level >= below) {
        throw new IOException("a tree of chunks has a node of level %d".formatted(level));
      }
      int found = last(node, count, entryBytes, wanted);
      if (found < 0) {
        return Optional.empty();
      }
      int at = prefix() + found * entryBytes;
      long child = storage.offset(node.position(at + keyBytes));
      if (level == 0) {
        return compare(node, at, wanted) == 0
            ? Optional.of(
                new Entry(child, Integer.toUnsignedLong(node.getInt(at)), node.getInt(at + 4)))
            : Optional.empty();
      }
      address = child;
      below = level;
    }
  }

  private int prefix() {
    return 8 + 2 * storage.offsetBytes();
  }

  private ByteBuffer node(long address, int entryBytes, int keyBytes) throws IOException {
    ByteBuffer known = nodes.get(address);
    if (known == null) {
      ByteBuffer first = Storage.signed(storage.read(address, prefix()), "TREE");
      if (first.get() != 1) {
        throw new IOException("a tree of chunks has a node of links");
      }
      int count = first.getShort(6) & 0xffff;
      ByteBuffer read = storage.read(address, prefix() + (long) count * entryBytes + keyBytes);
      byte[] bytes = new byte[read.remaining()];
      read.get(bytes);
      known = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      nodes.put(address, known);
    }
    return known.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the last entry that is not behind the wanted position. */
  private int last(ByteBuffer node, int count, int entryBytes, long[] wanted) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) / 2;
      if (compare(node, prefix() + middle * entryBytes, wanted) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private static int compare(ByteBuffer node, int at, long[] wanted) {
    for (int axis = 0; axis < wanted.length; axis++) {
      int order = Long.compare(node.getLong(at + 8 + 8 * axis), wanted[axis]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
