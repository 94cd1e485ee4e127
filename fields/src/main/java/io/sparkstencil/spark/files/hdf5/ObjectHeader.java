/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a file says of a group, an array or a type: messages of several kinds.
 *
 * @param address where it lies
 * @param messages in their order
 */
record ObjectHeader(long address, List<Message> messages) {
  static final int DATASPACE = 0x1;
  static final int LINK_INFO = 0x2;
  static final int DATATYPE = 0x3;
  static final int FILL_VALUE = 0x5;
  static final int LINK = 0x6;
  static final int EXTERNAL_FILES = 0x7;
  static final int LAYOUT = 0x8;
  static final int FILTERS = 0xb;
  static final int ATTRIBUTE = 0xc;
  static final int SYMBOL_TABLE = 0x11;
  static final int ATTRIBUTE_INFO = 0x15;
  private static final int CONTINUATION = 0x10;
  private static final int SHARED = 1 << 1;
  private static final int MOST_MESSAGES = 1 << 16;

  /**
   * A message.
   *
   * @param kind one of the constants
   * @param shared whether the body says where the message is instead
   * @param body its bytes
   */
  record Message(int kind, boolean shared, ByteBuffer body) {
    /** Returns the bytes from their start, of a message that must lie here. */
    ByteBuffer own(String what) throws UnsupportedHdf5 {
      if (shared) {
        throw new UnsupportedHdf5(what + " kept in a heap of shared messages", "h5repack it");
      }
      return from();
    }

    /** Returns the bytes from their start. */
    ByteBuffer from() {
      return body.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** A part of a header: where it lies, and how many bytes it has. */
  private record Block(long address, long length) {}

  static ObjectHeader read(Storage storage, long address) throws IOException {
    ByteBuffer first = storage.readUpTo(address, 64);
    boolean second = first.get(0) == 'O';
    Deque<Block> blocks = new ArrayDeque<>();
    int flags = 0;
    if (second) {
      Storage.signed(first, "OHDR");
      requireVersion(first.get(), 2);
      flags = first.get();
      first.position(first.position() + ((flags & 0x20) != 0 ? 16 : 0)); // times
      first.position(first.position() + ((flags & 0x10) != 0 ? 4 : 0)); // limits of attributes
      long length = Storage.unsigned(first, 1 << (flags & 3));
      blocks.add(new Block(address + first.position(), length));
    } else {
      requireVersion(first.get(), 1);
      first.position(first.position() + 7); // the numbers of messages and links
      blocks.add(new Block(address + 16, Integer.toUnsignedLong(first.getInt())));
    }
    List<Message> messages = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    while (!blocks.isEmpty()) {
      Block block = blocks.remove();
      if (!seen.add(block.address())) {
        throw new IOException("a header continues where it has been");
      }
      ByteBuffer from = storage.read(block.address(), block.length());
      if (second && seen.size() == 1) {
        storage.readChecked(address, block.address() - address + block.length());
      } else if (second) {
        from = storage.readChecked(block.address(), block.length() - Integer.BYTES);
        Storage.signed(from, "OCHK");
      }
      readMessages(storage, copy(from), second, flags, messages, blocks);
    }
    return new ObjectHeader(address, List.copyOf(messages));
  }

  /** Messages are kept, and the window that they are read through is not. */
  private static ByteBuffer copy(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void requireVersion(int found, int wanted) throws IOException {
    if (found != wanted) {
      throw new IOException("the version of a header is %d, not %d".formatted(found, wanted));
    }
  }

  private static void readMessages(
      Storage storage,
      ByteBuffer from,
      boolean second,
      int flags,
      List<Message> messages,
      Deque<Block> blocks)
      throws IOException {
    int prefix = second ? ((flags & 4) != 0 ? 6 : 4) : 8;
    while (from.remaining() >= prefix) {
      int kind = second ? from.get() & 0xff : from.getShort() & 0xffff;
      int bytes = from.getShort() & 0xffff;
      int said = from.get();
      from.position(from.position() + prefix - (second ? 4 : 5));
      ByteBuffer body = from.slice(from.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
      from.position(from.position() + bytes);
      if (kind == CONTINUATION) {
        blocks.add(new Block(storage.offset(body), storage.length(body)));
      } else if (kind != 0) {
        messages.add(new Message(kind, (said & SHARED) != 0, body));
      }
      if (messages.size() > MOST_MESSAGES) {
        throw new IOException("a header has more than %d messages".formatted(MOST_MESSAGES));
      }
    }
  }

  Optional<Message> find(int kind) {
    return messages.stream().filter(each -> each.kind() == kind).findFirst();
  }

  Message get(int kind, String what) throws IOException {
    return find(kind).orElseThrow(() -> new IOException("there is no " + what));
  }

  List<Message> all(int kind) {
    return messages.stream().filter(each -> each.kind() == kind).toList();
  }
}
