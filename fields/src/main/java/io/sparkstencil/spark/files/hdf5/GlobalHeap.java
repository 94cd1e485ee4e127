/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Collections of values of any length, such as texts. */
final class GlobalHeap {
  private static final int PREFIX_BYTES = 8;

  private GlobalHeap() {}

  /** Returns the bytes of a value by its length and place; nothing for an empty one. */
  static Optional<ByteBuffer> object(Storage storage, ByteBuffer place) throws IOException {
    long count = Integer.toUnsignedLong(place.getInt());
    long collection = storage.offset(place);
    int wanted = place.getInt();
    if (count == 0 || wanted == 0) {
      return Optional.empty();
    }
    int prefix = PREFIX_BYTES + storage.lengthBytes();
    ByteBuffer from = Storage.signed(storage.read(collection, prefix), "GCOL");
    from.position(PREFIX_BYTES);
    long end = storage.length(from);
    long at = prefix;
    while (at + prefix <= end) {
      ByteBuffer object = storage.read(collection + at, prefix);
      int index = object.getShort() & 0xffff;
      object.position(PREFIX_BYTES);
      long bytes = storage.length(object);
      if (index == 0) {
        break;
      }
      if (index == wanted) {
        ByteBuffer found = storage.read(collection + at + prefix, bytes);
        byte[] copied = new byte[found.remaining()];
        found.get(copied);
        return Optional.of(ByteBuffer.wrap(copied).order(ByteOrder.LITTLE_ENDIAN));
      }
      at = Math.addExact(at, prefix + Math.addExact(bytes, 7) / 8 * 8);
    }
    throw new IOException("a value is not in its heap");
  }
}
