/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import io.sparkstencil.spark.files.cells.WindowedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a file says of an image: values by the numbers of tags.
 *
 * @param bigEndian the order of bytes in the file
 * @param tags the values
 * @param next where the directory of the next image lies, or 0
 */
record TiffDirectory(boolean bigEndian, Map<Integer, Values> tags, long next) {
  private static final int CLASSIC = 42;
  private static final int BIG = 43;
  private static final int MOST_TAGS = 4096;
  private static final int MOST_LISTED = 1 << 16;

  /** The bytes of a value by its type; 0 for types that are not known. */
  private static final int[] BYTES = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};

  /**
   * The values of a tag, which may lie elsewhere.
   *
   * @param file the whole file
   * @param order of bytes
   * @param type of the values
   * @param count of values
   * @param at where the first begins
   */
  record Values(WindowedBytes file, ByteOrder order, int type, long count, long at) {
    private ByteBuffer value(long number) throws IOException {
      if (number < 0 || number >= count) {
        throw new IOException("value %d of %d of a tag is asked for".formatted(number, count));
      }
      int bytes = BYTES[type];
      return file.read(Math.addExact(at, number * bytes), bytes).order(order);
    }

    /** Returns an integer that is not negative. */
    long integer(long number) throws IOException {
      ByteBuffer value = value(number);
      long integer =
          switch (type) {
            case 1, 7 -> value.get() & 0xff;
            case 3 -> value.getShort() & 0xffff;
            case 4, 13 -> Integer.toUnsignedLong(value.getInt());
            case 6 -> value.get();
            case 8 -> value.getShort();
            case 9 -> value.getInt();
            case 16, 17, 18 -> value.getLong();
            default ->
                throw new IOException("a tag has values of type %d, not integers".formatted(type));
          };
      if (integer < 0) {
        throw new IOException("a tag has the value %d".formatted(integer));
      }
      return integer;
    }

    /** Returns all values as numbers. */
    List<Object> numbers() throws IOException {
      List<Object> numbers = new ArrayList<>();
      for (long i = 0; i < Math.min(count, MOST_LISTED); i++) {
        numbers.add(
            type == 12
                ? (Object) value(i).getDouble()
                : type == 11 ? (Object) (double) value(i).getFloat() : (Object) integer(i));
      }
      return numbers;
    }

    boolean isText() {
      return type == 2;
    }

    /** Returns the text. */
    String text() throws IOException {
      String text = new String(bytes(), StandardCharsets.UTF_8);
      int end = text.indexOf('\0');
      return end < 0 ? text : text.substring(0, end);
    }

    /** Returns a character for each byte but a last 0, for tags that say where parts of it lie. */
    String characters() throws IOException {
      String text = new String(bytes(), StandardCharsets.ISO_8859_1);
      return text.endsWith("\0") ? text.substring(0, text.length() - 1) : text;
    }

    private byte[] bytes() throws IOException {
      if (BYTES[type] != 1 || count > 1 << 20) {
        throw new IOException("a tag of text has %d values of type %d".formatted(count, type));
      }
      byte[] bytes = new byte[(int) count];
      file.read(at, bytes.length).get(bytes);
      return bytes;
    }
  }

  /** Reads the first directory of a file. */
  static TiffDirectory first(WindowedBytes file) throws IOException {
    boolean bigEndian = file.read(0, 1).get() == 'M';
    ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer from = file.read(0, 8).order(order);
    int version = from.getShort(2);
    if (version == CLASSIC) {
      return at(file, order, false, Integer.toUnsignedLong(from.getInt(4)));
    }
    if (version != BIG || from.getShort(4) != Long.BYTES) {
      throw new IOException("its version is %d, not 42 or 43".formatted(version));
    }
    return at(file, order, true, file.read(8, Long.BYTES).order(order).getLong());
  }

  /** Reads the directory behind this one. */
  TiffDirectory next(WindowedBytes file) throws IOException {
    boolean big = file.read(0, 4).order(order()).getShort(2) == BIG;
    return at(file, order(), big, next);
  }

  private ByteOrder order() {
    return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static TiffDirectory at(WindowedBytes file, ByteOrder order, boolean big, long address)
      throws IOException {
    int countBytes = big ? 8 : 2;
    int offsetBytes = big ? 8 : 4;
    int entryBytes = 4 + 2 * offsetBytes;
    ByteBuffer counted = file.read(address, countBytes).order(order);
    long count = big ? counted.getLong() : counted.getShort() & 0xffff;
    if (count < 1 || count > MOST_TAGS) {
      throw new IOException("a directory has %d tags, not 1 to %d".formatted(count, MOST_TAGS));
    }
    long start = Math.addExact(address, countBytes);
    int bytes = (int) count * entryBytes;
    Map<Integer, Values> tags = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      long at = start + (long) i * entryBytes;
      ByteBuffer entry = file.read(at, entryBytes).order(order);
      int tag = entry.getShort() & 0xffff;
      int type = entry.getShort() & 0xffff;
      long values = big ? entry.getLong() : Integer.toUnsignedLong(entry.getInt());
      long offset = big ? entry.getLong() : Integer.toUnsignedLong(entry.getInt());
      if (type >= BYTES.length || BYTES[type] == 0 || values < 0) {
        continue; // readers pass over types that they do not know
      }
      boolean inside = values <= offsetBytes / BYTES[type];
      long place = inside ? at + 4 + offsetBytes : offset;
      if (!inside && (place < 0 || values > (file.length() - place) / BYTES[type])) {
        throw new IOException(
            "the %d values of tag %d lie outside the file".formatted(values, tag));
      }
      tags.put(tag, new Values(file, order, type, values, place));
    }
    ByteBuffer last = file.read(start + bytes, offsetBytes).order(order);
    return new TiffDirectory(
        order == ByteOrder.BIG_ENDIAN,
        tags,
        big ? last.getLong() : Integer.toUnsignedLong(last.getInt()));
  }

  boolean has(int tag) {
    return tags.containsKey(tag);
  }

  Values get(int tag, String what) throws IOException {
    Values values = tags.get(tag);
    if (values == null) {
      throw new IOException("there is no tag %d, %s".formatted(tag, what));
    }
    return values;
  }

  /** Returns the integer of a tag, or another if there is none. */
  long integer(int tag, long otherwise) throws IOException {
    return has(tag) ? tags.get(tag).integer(0) : otherwise;
  }
}
