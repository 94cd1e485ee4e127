/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import io.sparkstencil.spark.files.codec.ChunkBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The first structure of a file.
 *
 * @param storage the file by its addresses
 * @param root the address of the header of the group that holds all others
 */
record Superblock(Storage storage, long root) {
  private static final long SIGNATURE = 0x0a1a0a0d46444889L;
  private static final int MOST_BYTES = 96;

  /** Finds the structure: at the start of the file, or at 512, 1024, 2048 and so on. */
  static Optional<Superblock> find(ChunkBytes file) throws IOException {
    for (long at = 0; at + Long.BYTES < file.length(); at = at == 0 ? 512 : 2 * at) {
      int bytes = (int) Math.min(MOST_BYTES, file.length() - at);
      ByteBuffer from = file.read(at, bytes).slice().order(ByteOrder.LITTLE_ENDIAN);
      if (from.getLong() == SIGNATURE) {
        return Optional.of(read(file, at, from));
      }
    }
    return Optional.empty();
  }

  private static Superblock read(ChunkBytes file, long at, ByteBuffer from) throws IOException {
    int version = from.get();
    boolean first = version == 0 || version == 1;
    if (!first && version != 2 && version != 3) {
      throw new IOException("the version of its superblock is %d, not 0 to 3".formatted(version));
    }
    if (first) {
      from.position(from.position() + 4); // versions of other structures
    }
    int offsetBytes = bytes(from);
    int lengthBytes = bytes(from);
    if (first) {
      from.position(from.position() + (version == 0 ? 9 : 13)); // nodes of trees, and flags
    } else {
      from.get(); // flags
    }
    Storage addresses = new Storage(file, 0, offsetBytes, lengthBytes);
    long base = addresses.offset(from);
    if (base != at) {
      // Tools that put bytes before a file leave its addresses as they were: these count from here.
      base = at;
    }
    addresses.offset(from); // free space, or an extension
    addresses.offset(from); // the end of the file
    if (first) {
      addresses.offset(from); // drivers
      addresses.offset(from); // the name of the root
    }
    long root = addresses.offset(from);
    Storage storage = new Storage(file, base, offsetBytes, lengthBytes);
    if (!first) {
      storage.readChecked(at - base, from.position());
    }
    return new Superblock(storage, root);
  }

  private static int bytes(ByteBuffer from) throws IOException {
    int bytes = from.get();
    if (bytes != 2 && bytes != 4 && bytes != 8) {
      throw new IOException("its addresses have %d bytes, not 2, 4 or 8".formatted(bytes));
    }
    return bytes;
  }
}
