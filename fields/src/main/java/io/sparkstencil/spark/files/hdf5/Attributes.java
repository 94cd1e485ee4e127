/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The attributes of an array or a group: numbers, texts, and lists of them. */
final class Attributes {
  private static final int MOST_ATTRIBUTES = 1 << 14;
  private static final int MOST_VALUES = 1 << 16;

  /**
   * An attribute as it is stored.
   *
   * @param type of its values
   * @param space how many there are
   * @param values their bytes
   */
  private record Stored(Datatype type, Dataspace space, ByteBuffer values) {}

  private final Storage storage;
  private final Map<String, Stored> stored = new LinkedHashMap<>();

  private Attributes(Storage storage) {
    this.storage = storage;
  }

  static Attributes of(Storage storage, ObjectHeader header) throws IOException {
    Attributes all = new Attributes(storage);
    for (ObjectHeader.Message each : header.all(ObjectHeader.ATTRIBUTE)) {
      if (each.shared()) {
        throw new UnsupportedHdf5("an attribute kept in a heap of shared messages", "h5repack it");
      }
      all.add(each.from());
    }
    Optional<ObjectHeader.Message> info = header.find(ObjectHeader.ATTRIBUTE_INFO);
    if (info.isPresent()) {
      ByteBuffer from = info.get().from();
      from.get();
      int flags = from.get();
      from.position(from.position() + ((flags & 1) != 0 ? Short.BYTES : 0));
      long heap = storage.offset(from);
      long names = storage.offset(from);
      if (heap != Storage.NOWHERE && names != Storage.NOWHERE) {
        FractalHeap objects = FractalHeap.read(storage, heap);
        for (ByteBuffer record : RecordTree.all(storage, names, 8, MOST_ATTRIBUTES)) {
          ByteBuffer identifier = record.slice(0, 8);
          if ((record.get(8) & 2) != 0) {
            throw new UnsupportedHdf5(
                "an attribute kept in a heap of shared messages", "h5repack it");
          }
          all.add(objects.object(identifier));
        }
      }
    }
    return all;
  }

  private void add(ByteBuffer from) throws IOException {
    int version = from.get();
    int flags = from.get();
    if (version < 1 || version > 3) {
      throw new IOException("the version of an attribute is %d, not 1 to 3".formatted(version));
    }
    int nameBytes = from.getShort() & 0xffff;
    int typeBytes = from.getShort() & 0xffff;
    int spaceBytes = from.getShort() & 0xffff;
    from.position(from.position() + (version == 3 ? 1 : 0)); // how the name is written
    int unit = version == 1 ? 8 : 1;
    String name = Storage.text(part(from, nameBytes, unit));
    ByteBuffer typeAt = part(from, typeBytes, unit);
    boolean sharedType = version > 1 && (flags & 1) != 0;
    Datatype type = sharedType ? Datatype.shared(storage, typeAt) : Datatype.read(typeAt, 0);
    ByteBuffer spaceAt = part(from, spaceBytes, unit);
    if (version > 1 && (flags & 2) != 0) {
      throw new UnsupportedHdf5("a shared dataspace of an attribute", "h5repack it");
    }
    Dataspace space = Dataspace.read(storage, spaceAt);
    if (stored.size() >= MOST_ATTRIBUTES) {
      throw new IOException("there are more than %d attributes".formatted(MOST_ATTRIBUTES));
    }
    stored.put(name, new Stored(type, space, from.slice().order(ByteOrder.LITTLE_ENDIAN)));
  }

  private static ByteBuffer part(ByteBuffer from, int bytes, int unit) {
    ByteBuffer part = from.slice(from.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
    from.position(from.position() + (bytes + unit - 1) / unit * unit);
    return part;
  }

  /** Returns the attributes whose values are numbers or texts. */
  Map<String, Object> values() throws IOException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, Stored> each : stored.entrySet()) {
      Object value = value(each.getValue());
      if (value != null) {
        values.put(each.getKey(), value);
      }
    }
    return values;
  }

  private Object value(Stored attribute) throws IOException {
    int count = attribute.space().count(MOST_VALUES);
    boolean readable =
        attribute.type().format().isPresent()
            || attribute.type().text()
            || attribute.type().textOfAnyLength();
    if (!readable || count == 0) {
      return null;
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int bytes = attribute.type().bytes();
      ByteBuffer one = attribute.values().slice(i * bytes, bytes).order(ByteOrder.LITTLE_ENDIAN);
      values.add(
          attribute.type().format().isPresent()
              ? FillNumber.number(attribute.type().format().get(), one)
              : text(attribute.type(), one));
    }
    return attribute.space().shape().isEmpty() || count == 1 ? values.get(0) : values;
  }

  private String text(Datatype type, ByteBuffer one) throws IOException {
    return type.text()
        ? Storage.text(one).stripTrailing()
        : GlobalHeap.object(storage, one).map(Storage::text).orElse("");
  }

  /** Returns whether there is an attribute of a name. */
  boolean has(String name) {
    return stored.containsKey(name);
  }

  /**
   * Returns the addresses in an attribute of lists of references, such as {@code DIMENSION_LIST}:
   * the first of each list, or {@link Storage#NOWHERE} for an empty one.
   */
  List<Long> references(String name) throws IOException {
    Stored attribute = stored.get(name);
    if (attribute == null
        || attribute.type().base().isEmpty()
        || attribute.type().textOfAnyLength()) {
      return List.of();
    }
    List<Long> addresses = new ArrayList<>();
    int count = attribute.space().count(MOST_VALUES);
    for (int i = 0; i < count; i++) {
      int bytes = attribute.type().bytes();
      ByteBuffer one = attribute.values().slice(i * bytes, bytes).order(ByteOrder.LITTLE_ENDIAN);
      Optional<ByteBuffer> list = GlobalHeap.object(storage, one);
      addresses.add(
          list.filter(found -> found.remaining() >= storage.offsetBytes())
              .map(storage::offset)
              .orElse(Storage.NOWHERE));
    }
    return addresses;
  }
}
