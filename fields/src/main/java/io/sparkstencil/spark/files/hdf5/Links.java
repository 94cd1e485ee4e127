/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The links of groups, which lead to arrays and other groups. */
final class Links {
  private static final int MOST_LINKS = 1 << 16;
  private static final int MOST_TURNS = 32;

  /**
   * A link.
   *
   * @param header the address of what it leads to, or {@link Storage#NOWHERE}
   * @param path what it stands for otherwise: a path in the file; beginning with two colons, one of
   *     another file
   */
  record Link(long header, String path) {}

  private Links() {}

  /** Returns the links of a group in the order of names; none if it is no group. */
  static Map<String, Link> of(Storage storage, ObjectHeader group) throws IOException {
    Map<String, Link> links = new TreeMap<>();
    Optional<ObjectHeader.Message> table = group.find(ObjectHeader.SYMBOL_TABLE);
    if (table.isPresent()) {
      SymbolTable.read(storage, table.get().from(), links);
    }
    for (ObjectHeader.Message each : group.all(ObjectHeader.LINK)) {
      add(storage, each.from(), links);
    }
    Optional<ObjectHeader.Message> info = group.find(ObjectHeader.LINK_INFO);
    if (info.isPresent()) {
      ByteBuffer from = info.get().from();
      from.get();
      int flags = from.get();
      from.position(from.position() + ((flags & 1) != 0 ? Long.BYTES : 0));
      long heap = storage.offset(from);
      long names = storage.offset(from);
      if (heap != Storage.NOWHERE && names != Storage.NOWHERE) {
        FractalHeap objects = FractalHeap.read(storage, heap);
        for (ByteBuffer record : RecordTree.all(storage, names, 5, MOST_LINKS)) {
          add(storage, objects.object(record.position(4)), links);
        }
      }
    }
    return links;
  }

  /** Returns whether a header is that of a group. */
  static boolean isGroup(ObjectHeader header) {
    return header.find(ObjectHeader.SYMBOL_TABLE).isPresent()
        || header.find(ObjectHeader.LINK_INFO).isPresent()
        || header.find(ObjectHeader.LINK).isPresent();
  }

  private static void add(Storage storage, ByteBuffer from, Map<String, Link> links)
      throws IOException {
    if (from.get() != 1) {
      throw new IOException("the version of a link is not 1");
    }
    int flags = from.get();
    int kind = (flags & 8) != 0 ? from.get() & 0xff : 0;
    from.position(from.position() + ((flags & 4) != 0 ? Long.BYTES : 0));
    from.position(from.position() + ((flags & 0x10) != 0 ? 1 : 0));
    String name = text(from, Storage.unsigned(from, 1 << (flags & 3)));
    if (links.size() >= MOST_LINKS) {
      throw new IOException("a group has more than %d links".formatted(MOST_LINKS));
    }
    links.put(
        name,
        switch (kind) {
          case 0 -> new Link(storage.offset(from), "");
          case 1 -> new Link(Storage.NOWHERE, text(from, from.getShort() & 0xffff));
          default -> new Link(Storage.NOWHERE, "::");
        });
  }

  private static String text(ByteBuffer from, long bytes) throws IOException {
    if (bytes < 0 || bytes > from.remaining()) {
      throw new IOException("a name has %d bytes".formatted(bytes));
    }
    byte[] text = new byte[(int) bytes];
    from.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Returns the header that a path leads to, or nothing if there is none of that name. */
  static Optional<ObjectHeader> find(Storage storage, long root, String path) throws IOException {
    return find(storage, root, ObjectHeader.read(storage, root), path, MOST_TURNS);
  }

  private static Optional<ObjectHeader> find(
      Storage storage, long root, ObjectHeader from, String path, int turns) throws IOException {
    if (turns == 0) {
      throw new IOException("links lead to links more than %d times".formatted(MOST_TURNS));
    }
    ObjectHeader at = path.startsWith("/") ? ObjectHeader.read(storage, root) : from;
    for (String name : path.split("/")) {
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      Link link = of(storage, at).get(name);
      if (link == null) {
        return Optional.empty();
      }
      if (link.path().startsWith("::")) {
        throw new UnsupportedHdf5("\"%s\" leads to another file".formatted(name), "name that file");
      }
      Optional<ObjectHeader> next =
          link.header() != Storage.NOWHERE
              ? Optional.of(ObjectHeader.read(storage, link.header()))
              : find(storage, root, at, link.path(), turns - 1);
      if (next.isEmpty()) {
        return next;
      }
      at = next.get();
    }
    return Optional.of(at);
  }
}
