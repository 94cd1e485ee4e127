/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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

  /** What names of axes need. */
  private static final List<String> AXES =
      List.of(
          "NAME",
          "CLASS",
          "DIMENSION_LIST",
          "_Netcdf4Dimid",
          "_Netcdf4Coordinates",
          "_NCProperties");

  private final Storage storage;
  private final GlobalHeap heap;
  private final Set<String> decoding;
  private final Map<String, Stored> stored = new LinkedHashMap<>();

  private Attributes(Storage storage, Collection<String> decoding) {
    this.storage = storage;
    this.heap = new GlobalHeap(storage);
    this.decoding = Set.copyOf(decoding);
  }

  /**
   * Finds the attributes of an array or a group. Those that are not read are left out.
   *
   * @param decoding the names of those that are refused if they are not read
   */
  static Attributes of(Storage storage, ObjectHeader header, Collection<String> decoding)
      throws IOException {
    Attributes all = new Attributes(storage, decoding);
    for (ObjectHeader.Message each : header.all(ObjectHeader.ATTRIBUTE)) {
      if (each.shared()) {
        throw shared();
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
          all.addFrom(objects, record);
        }
      }
    }
    return all;
  }

  private static UnsupportedHdf5 shared() {
    return new UnsupportedHdf5("an attribute kept in a heap of shared messages", "h5repack it");
  }

  /** Adds one of many attributes, of which a record has the checksum of the name. */
  private void addFrom(FractalHeap objects, ByteBuffer record) throws IOException {
    try {
      if ((record.get(8) & 2) != 0) {
        throw shared();
      }
      add(objects.object(record.slice(0, 8)));
    } catch (UnsupportedHdf5 e) {
      int checksum = record.getInt(13);
      if (Stream.concat(AXES.stream(), decoding.stream())
          .map(name -> ByteBuffer.wrap(name.getBytes(StandardCharsets.US_ASCII)))
          .anyMatch(name -> Lookup3.of(name) == checksum)) {
        throw e;
      }
    }
  }

  private boolean isNeeded(String name) {
    return AXES.contains(name) || decoding.contains(name);
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
    try {
      add(name, version, flags, from, typeBytes, spaceBytes);
    } catch (UnsupportedHdf5 e) {
      if (isNeeded(name)) {
        throw e;
      }
    }
  }

  private void add(
      String name, int version, int flags, ByteBuffer from, int typeBytes, int spaceBytes)
      throws IOException {
    int unit = version == 1 ? 8 : 1;
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
      try {
        value(each.getKey(), each.getValue()).ifPresent(value -> values.put(each.getKey(), value));
      } catch (UnsupportedHdf5 e) {
        if (isNeeded(each.getKey())) {
          throw e;
        }
      }
    }
    return values;
  }

  private Optional<Object> value(String name, Stored attribute) throws IOException {
    boolean readable =
        attribute.type().format().isPresent()
            || attribute.type().text()
            || attribute.type().textOfAnyLength();
    if (!readable && decoding.contains(name)) {
      throw new UnsupportedHdf5(
          "the attribute %s of %s".formatted(name, attribute.type().kind()),
          "correct it, or read the stored numbers as they are (raw)");
    }
    int count = readable ? attribute.space().count(MOST_VALUES) : 0;
    if (count == 0) {
      return Optional.empty();
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
    return Optional.of(attribute.space().shape().isEmpty() || count == 1 ? values.get(0) : values);
  }

  private String text(Datatype type, ByteBuffer one) throws IOException {
    return type.text() ? Storage.text(one).stripTrailing() : heap.text(one);
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
      Optional<ByteBuffer> list = heap.object(one);
      addresses.add(
          list.filter(found -> found.remaining() >= storage.offsetBytes())
              .map(storage::offset)
              .orElse(Storage.NOWHERE));
    }
    return addresses;
  }
}
