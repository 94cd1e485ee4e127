/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Collections of values of any length, such as texts. Each collection is read once. */
final class GlobalHeap {
  private static final int PREFIX_BYTES = 8;
  private static final long MOST_KEPT_BYTES = 64 << 20;

  private final Storage storage;

  /** The values of collections by their numbers, by the addresses of the collections. */
  private final Map<Long, Map<Integer, ByteBuffer>> collections = new HashMap<>();

  private long keptBytes;
  private long textBytes;

  GlobalHeap(Storage storage) {
    this.storage = storage;
  }

  /** Returns a text by its length and place. Texts of a file share no bytes. */
  String text(ByteBuffer place) throws IOException {
    Optional<ByteBuffer> found = object(place);
    textBytes += found.map(ByteBuffer::remaining).orElse(0);
    if (textBytes > storage.file().length()) {
      throw new IOException("texts of the file share bytes");
    }
    return found.map(Storage::text).orElse("");
  }

  /** Returns the bytes of a value by its length and place; nothing for an empty one. */
  Optional<ByteBuffer> object(ByteBuffer place) throws IOException {
    long count = Integer.toUnsignedLong(place.getInt());
    long collection = storage.offset(place);
    int wanted = place.getInt();
    if (count == 0 || wanted == 0) {
      return Optional.empty();
    }
    Map<Integer, ByteBuffer> values = collections.get(collection);
    if (values == null) {
      values = read(collection);
      collections.put(collection, values);
    }
    ByteBuffer found = values.get(wanted);
    if (found == null) {
      throw new IOException("a value is not in its heap");
    }
    return Optional.of(found.duplicate().order(ByteOrder.LITTLE_ENDIAN));
  }

  private Map<Integer, ByteBuffer> read(long collection) throws IOException {
    int prefix = PREFIX_BYTES + storage.lengthBytes();
    ByteBuffer from = Storage.signed(storage.read(collection, prefix), "GCOL");
    long bytes = storage.length(from.position(PREFIX_BYTES));
    if (bytes > storage.file().length() - keptBytes) {
      throw new IOException("the heaps of values have more bytes than the file");
    }
    if (bytes > MOST_KEPT_BYTES - keptBytes) {
      throw new UnsupportedHdf5(
          "texts or lists of more than %d bytes in attributes".formatted(MOST_KEPT_BYTES),
          "store them as arrays");
    }
    keptBytes += bytes;
    byte[] kept = new byte[(int) bytes];
    storage.read(collection, bytes).get(kept);
    return values(ByteBuffer.wrap(kept).order(ByteOrder.LITTLE_ENDIAN), prefix);
  }

  private Map<Integer, ByteBuffer> values(ByteBuffer from, int prefix) throws IOException {
    Map<Integer, ByteBuffer> values = new HashMap<>();
    long at = prefix;
    while (at + prefix <= from.limit()) {
      from.position((int) at);
      int number = from.getShort() & 0xffff;
      long bytes = storage.length(from.position((int) at + PREFIX_BYTES));
      if (number == 0) {
        break; // the rest is free
      }
      if (bytes > from.remaining()) {
        throw new IOException("a value of %d bytes lies outside its heap".formatted(bytes));
      }
      values.putIfAbsent(number, from.slice(from.position(), (int) bytes));
      at += prefix + (bytes + 7) / 8 * 8;
    }
    return values;
  }
}
