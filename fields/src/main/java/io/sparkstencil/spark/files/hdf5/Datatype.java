/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * The type of numbers in a file.
 *
 * @param kind what they are, in words
 * @param bytes of one of them
 * @param format how numbers are stored, or nothing for what is no number of a known format
 * @param text whether it is a text of fixed length
 * @param base of what there are several, or nothing
 * @param textOfAnyLength whether it is a text that lies elsewhere
 */
record Datatype(
    String kind,
    int bytes,
    Optional<CellFormat> format,
    boolean text,
    Optional<Datatype> base,
    boolean textOfAnyLength) {
  private static final int MOST_DEPTH = 8;
  private static final int MOST_BYTES = 1 << 24;

  /** Reads a type, which may be that of another header. */
  static Datatype of(Storage storage, ObjectHeader.Message message) throws IOException {
    if (!message.shared()) {
      return read(message.from(), 0);
    }
    return shared(storage, message.from());
  }

  /** Reads a type that is kept in a header of its own, as named types are. */
  static Datatype shared(Storage storage, ByteBuffer place) throws IOException {
    int version = place.get();
    int kind = place.get();
    place.position(place.position() + (version == 1 ? 6 : 0));
    if (version < 1 || version > 3 || (version == 3 && kind != 2)) {
      throw new UnsupportedHdf5("a type kept in a heap of shared messages", "h5repack it");
    }
    ObjectHeader header = ObjectHeader.read(storage, storage.offset(place));
    ObjectHeader.Message message = header.get(ObjectHeader.DATATYPE, "type where one is shared");
    if (message.shared()) {
      throw new IOException("a shared type is shared again");
    }
    return read(message.from(), 0);
  }

  static Datatype read(ByteBuffer from, int depth) throws IOException {
    if (depth > MOST_DEPTH) {
      throw new UnsupportedHdf5(
          "types nested more than %d deep".formatted(MOST_DEPTH), "store simpler ones");
    }
    int start = from.position();
    int first = from.get() & 0xff;
    int flags = from.get() & 0xff;
    int more = from.getShort() & 0xffff;
    long size = Integer.toUnsignedLong(from.getInt());
    if (size < 1) {
      throw new IOException("cells have no bytes");
    }
    if (size > MOST_BYTES) {
      throw new UnsupportedHdf5("cells of %d bytes each".formatted(size), "store them as arrays");
    }
    int bytes = (int) size;
    return switch (first & 0xf) {
      case 0 -> integer(from, flags, bytes);
      case 1 -> floating(from, flags, more, bytes);
      case 3 -> new Datatype("texts", bytes, Optional.empty(), true, Optional.empty(), false);
      case 4 -> integer(from, flags & 1, bytes); // bits, as those of an unsigned integer
      case 5 -> other("opaque values", bytes);
      case 6 -> compound(from, first >> 4, bytes, start);
      case 7 -> other("references", bytes);
      case 8 -> enumeration(read(from, depth + 1), from, more << 8 | flags, first >> 4, bytes);
      case 9 ->
          new Datatype(
              "lists of any length",
              bytes,
              Optional.empty(),
              false,
              Optional.of(read(from, depth + 1)),
              (flags & 0xf) == 1);
      case 10 -> other("arrays", bytes);
      default -> other("values of class %d".formatted(first & 0xf), bytes);
    };
  }

  private static Datatype other(String kind, int bytes) {
    return new Datatype(kind, bytes, Optional.empty(), false, Optional.empty(), false);
  }

  private static Datatype integer(ByteBuffer from, int flags, int bytes) {
    int start = from.getShort();
    int bits = from.getShort();
    boolean signed = (flags & 8) != 0;
    Optional<CellType> type =
        switch (bytes) {
          case 1 -> Optional.of(signed ? CellType.INT8 : CellType.UINT8);
          case 2 -> Optional.of(signed ? CellType.INT16 : CellType.UINT16);
          case 4 -> Optional.of(signed ? CellType.INT32 : CellType.UINT32);
          case 8 -> Optional.of(signed ? CellType.INT64 : CellType.UINT64);
          default -> Optional.empty();
        };
    boolean whole = start == 0 && bits == bytes * Byte.SIZE;
    String kind = "%sintegers of %d bits".formatted(signed ? "" : "unsigned ", bits);
    return new Datatype(
        kind,
        bytes,
        type.filter(each -> whole).map(each -> new CellFormat(each, (flags & 1) != 0)),
        false,
        Optional.empty(),
        false);
  }

  /** Numbers of IEEE 754: where the sign, the exponent and the fraction lie says it. */
  private static Datatype floating(ByteBuffer from, int flags, int sign, int bytes) {
    int[] parts = new int[8];
    parts[0] = from.getShort();
    parts[1] = from.getShort();
    for (int i = 2; i < 6; i++) {
      parts[i] = from.get();
    }
    parts[6] = from.getInt();
    parts[7] = flags & 0x30; // the first bit of a fraction is not stored
    int[] half = {0, 16, 10, 5, 0, 10, 15, 0x20};
    int[] single = {0, 32, 23, 8, 0, 23, 127, 0x20};
    int[] wide = {0, 64, 52, 11, 0, 52, 1023, 0x20};
    boolean vax = (flags & 0x40) != 0;
    Optional<CellType> type = Optional.empty();
    if (!vax && bytes == 2 && (sign & 0xff) == 15 && Arrays.equals(parts, half)) {
      type = Optional.of(CellType.FLOAT16);
    } else if (!vax && bytes == 4 && (sign & 0xff) == 31 && Arrays.equals(parts, single)) {
      type = Optional.of(CellType.FLOAT32);
    } else if (!vax && bytes == 8 && (sign & 0xff) == 63 && Arrays.equals(parts, wide)) {
      type = Optional.of(CellType.FLOAT64);
    }
    return new Datatype(
        "floating-point numbers of %d bits".formatted(parts[1]),
        bytes,
        type.map(each -> new CellFormat(each, (flags & 1) != 0)),
        false,
        Optional.empty(),
        false);
  }

  /** Python's booleans are names for 0 and 1; other names are their numbers. */
  private static Datatype enumeration(
      Datatype base, ByteBuffer from, int members, int version, int bytes) {
    boolean truth = members == 2 && base.format().isPresent() && bytes == 1;
    for (int i = 0; i < 2 && truth; i++) {
      int start = from.position();
      String name = Storage.text(from);
      truth = name.equals(i == 0 ? "FALSE" : "TRUE");
      if (version < 3) {
        from.position(start + (name.length() + 8) / 8 * 8);
      }
    }
    truth = truth && from.remaining() >= 2 && from.get() == 0 && from.get() == 1;
    Optional<CellFormat> format =
        truth
            ? base.format().map(each -> new CellFormat(CellType.BOOL, each.bigEndian()))
            : base.format();
    return new Datatype("named " + base.kind(), bytes, format, false, Optional.empty(), false);
  }

  private static Datatype compound(ByteBuffer from, int version, int bytes, int start) {
    boolean complex = version >= 1 && bytes % 2 == 0 && startsWith(from, start, "r");
    return other(complex ? "compound values, as complex numbers are" : "compound values", bytes);
  }

  private static boolean startsWith(ByteBuffer from, int start, String name) {
    return from.limit() > start + 9
        && from.get(start + 8) == name.charAt(0)
        && from.get(start + 9) == 0;
  }

  /** Returns the order of the bytes of a number. */
  ByteOrder order() {
    return format.map(CellFormat::order).orElse(ByteOrder.LITTLE_ENDIAN);
  }
}
