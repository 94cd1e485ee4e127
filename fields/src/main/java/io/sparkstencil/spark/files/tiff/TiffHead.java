/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What lies before the tiles of a TIFF file that is written: the header, and the tags with their
 * values.
 */
final class TiffHead {
  private static final int TILE_OFFSETS = 324;
  private static final int TILE_LENGTHS = 325;
  private static final int DEFLATE = 8;
  private static final int FLOATING = 3;

  /** The types of values, and their bytes. */
  private enum ValueType {
    TEXT(2, 1),
    SHORT(3, 2),
    LONG(4, 4),
    DOUBLE(12, 8),
    LONG8(16, 8);

    private final int code;
    private final int bytes;

    ValueType(int code, int bytes) {
      this.code = code;
      this.bytes = bytes;
    }
  }

  private record TagValues(ValueType type, int count, ByteBuffer values) {
    private static TagValues of(ValueType type, int count) {
      return new TagValues(
          type, count, ByteBuffer.allocate(count * type.bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    private static TagValues of(ValueType type, List<?> numbers) {
      TagValues tag = of(type, numbers.size());
      for (Object each : numbers) {
        tag.put((Number) each);
      }
      return tag;
    }

    private void put(Number number) {
      switch (type) {
        case SHORT -> values.putShort(number.shortValue());
        case LONG -> values.putInt(number.intValue());
        case DOUBLE -> values.putDouble(number.doubleValue());
        case LONG8 -> values.putLong(number.longValue());
        case TEXT -> values.put(number.byteValue());
      }
    }
  }

  private final boolean big;
  private final Map<Integer, TagValues> tags = new TreeMap<>();

  private TiffHead(boolean big) {
    this.big = big;
  }

  static TiffHead of(TiffWriter raster, int tiles, long tileBytes) {
    TiffHead classic = of(raster, tiles, false);
    boolean fits = tileBytes <= raster.mostClassicBytes() - classic.bytes();
    return fits ? classic : of(raster, tiles, true);
  }

  private static TiffHead of(TiffWriter raster, int tiles, boolean big) {
    TiffHead head = new TiffHead(big);
    head.put(256, ValueType.LONG, raster.shape().get(1));
    head.put(257, ValueType.LONG, raster.shape().get(0));
    head.put(258, ValueType.SHORT, raster.type().bytes() * Byte.SIZE);
    head.put(259, ValueType.SHORT, DEFLATE);
    head.put(262, ValueType.SHORT, 1); // 0 is black
    head.put(277, ValueType.SHORT, 1); // bands
    head.put(317, ValueType.SHORT, FLOATING); // the predictor
    head.put(322, ValueType.LONG, raster.tile().size(1));
    head.put(323, ValueType.LONG, raster.tile().size(0));
    head.tags.put(TILE_OFFSETS, TagValues.of(big ? ValueType.LONG8 : ValueType.LONG, tiles));
    head.tags.put(TILE_LENGTHS, TagValues.of(ValueType.LONG, tiles));
    head.put(339, ValueType.SHORT, FLOATING); // the format of numbers
    raster.place().forEach(head::place);
    head.text(42113, "nan");
    return head;
  }

  private void put(int tag, ValueType type, Number value) {
    tags.put(tag, TagValues.of(type, List.of(value)));
  }

  private void text(int tag, String text) {
    byte[] bytes = (text + "\0").getBytes(StandardCharsets.ISO_8859_1);
    TagValues made = TagValues.of(ValueType.TEXT, bytes.length);
    made.values().put(bytes);
    tags.put(tag, made);
  }

  private void place(String name, Object value) {
    int tag = GeoTransform.TAGS.get(name);
    if (value instanceof String text) {
      text(tag, text);
    } else {
      tags.put(
          tag,
          TagValues.of(
              name.equals(GeoTransform.KEYS) ? ValueType.SHORT : ValueType.DOUBLE,
              (List<?>) value));
    }
  }

  private int inlineBytes() {
    return big ? 8 : 4;
  }

  private int startBytes() {
    int directory = (big ? 8 : 2) + tags.size() * (4 + 2 * inlineBytes()) + inlineBytes();
    return (big ? 16 : 8) + directory;
  }

  /** Returns the bytes before the first tile. */
  long bytes() {
    long bytes = startBytes();
    for (TagValues each : tags.values()) {
      bytes += outsideBytes(each);
    }
    return bytes;
  }

  /** Values that find no room in the directory lie behind it, at even places. */
  private int outsideBytes(TagValues tag) {
    int bytes = tag.values().capacity();
    return bytes <= inlineBytes() ? 0 : (bytes + 7) / 8 * 8;
  }

  /** Returns all bytes before the first tile. */
  ByteBuffer encoded(long[] offsets, long[] lengths) {
    for (int i = 0; i < offsets.length; i++) {
      tags.get(TILE_OFFSETS).put(offsets[i]);
      tags.get(TILE_LENGTHS).put(lengths[i]);
    }
    ByteBuffer to = ByteBuffer.allocate(Math.toIntExact(bytes())).order(ByteOrder.LITTLE_ENDIAN);
    to.put((byte) 'I').put((byte) 'I').putShort((short) (big ? 43 : 42));
    if (big) {
      to.putShort((short) 8).putShort((short) 0).putLong(16).putLong(tags.size());
    } else {
      to.putInt(8).putShort((short) tags.size());
    }
    int outside = startBytes();
    for (Map.Entry<Integer, TagValues> each : tags.entrySet()) {
      TagValues tag = each.getValue();
      to.putShort(each.getKey().shortValue()).putShort((short) tag.type().code);
      number(to, tag.count());
      int next = to.position() + inlineBytes();
      if (outsideBytes(tag) > 0) {
        number(to, outside);
        to.duplicate().position(outside).put(tag.values().array());
        outside += outsideBytes(tag);
      } else {
        to.put(tag.values().array());
      }
      to.position(next);
    }
    return to; // no other image: the last address is 0
  }

  private void number(ByteBuffer to, long number) {
    if (big) {
      to.putLong(number);
    } else {
      to.putInt((int) number);
    }
  }
}
