/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.netcdf;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The header of a file: axes and variables. A file may be read before its header is complete in
 * memory: then the buffer ends.
 */
final class NetcdfHeader {
  private static final int AXES = 0xa;
  private static final int VARIABLES = 0xb;
  private static final int ATTRIBUTES = 0xc;
  private static final int MOST_ITEMS = 1 << 16;
  private static final int MOST_AXES = 32;
  private static final int CHARACTERS = 2;

  private static final List<CellType> TYPES =
      List.of(
          CellType.INT8,
          CellType.INT8, // characters
          CellType.INT16,
          CellType.INT32,
          CellType.FLOAT32,
          CellType.FLOAT64,
          CellType.UINT8,
          CellType.UINT16,
          CellType.UINT32,
          CellType.INT64,
          CellType.UINT64);

  /**
   * An axis.
   *
   * @param length 0 for the one along which records are added
   */
  record Axis(String name, long length) {}

  /**
   * A variable.
   *
   * @param axes from the slowest
   * @param attributes numbers, texts, and lists of numbers
   * @param type of its cells
   * @param text whether these are characters
   * @param begin of its first cell in the file
   */
  record Variable(
      String name,
      List<Axis> axes,
      Map<String, Object> attributes,
      CellType type,
      boolean text,
      long begin) {
    boolean isRecord() {
      return !axes.isEmpty() && axes.get(0).length() == 0;
    }

    /** Returns the bytes of its cells, or of those in one record. */
    long bytes() throws IOException {
      long bytes = type.bytes();
      for (int axis = isRecord() ? 1 : 0; axis < axes.size(); axis++) {
        long length = axes.get(axis).length();
        if (length != 0 && bytes > Long.MAX_VALUE / 8 / length) {
          throw new IOException("the variable %s has more bytes than a file can".formatted(name));
        }
        bytes *= length;
      }
      return bytes;
    }
  }

  private final ByteBuffer from;
  private final int version;
  private final long records;
  private final Map<String, Variable> variables = new LinkedHashMap<>();

  private NetcdfHeader(ByteBuffer from) throws IOException {
    this.from = from;
    version = from.getInt() & 0xff;
    long said = number();
    records = said == (version == 5 ? -1L : 0xffffffffL) ? -1 : said;
    List<Axis> axes = new ArrayList<>();
    for (long left = count(AXES); left > 0; left--) {
      axes.add(new Axis(name(), nonNegative()));
    }
    attributes();
    for (long left = count(VARIABLES); left > 0; left--) {
      Variable variable = variable(axes);
      variables.put(variable.name(), variable);
    }
  }

  /** Reads a header from the start of a file, which has the letters of the format. */
  static NetcdfHeader read(ByteBuffer start) throws IOException {
    return new NetcdfHeader(start);
  }

  Map<String, Variable> variables() {
    return variables;
  }

  /**
   * Returns the number of records. A file that was written as a stream does not say it: then it has
   * as many as find room in it.
   */
  long records(long fileBytes) throws IOException {
    long recordBytes = recordBytes();
    if (records >= 0 || recordBytes == 0) {
      return Math.max(records, 0);
    }
    long first =
        variables.values().stream()
            .filter(Variable::isRecord)
            .mapToLong(Variable::begin)
            .min()
            .orElse(fileBytes);
    return Math.max(0, (fileBytes - first) / recordBytes);
  }

  /**
   * Returns the bytes from one record to the next. Those of each variable are padded to four,
   * unless there is only one.
   */
  long recordBytes() throws IOException {
    long bytes = 0;
    List<Variable> all = variables.values().stream().filter(Variable::isRecord).toList();
    for (Variable each : all) {
      bytes += all.size() == 1 ? each.bytes() : (each.bytes() + 3) / 4 * 4;
      if (bytes < 0) {
        throw new IOException("records have more bytes than a file can");
      }
    }
    return bytes;
  }

  private long number() {
    return version == 5 ? from.getLong() : Integer.toUnsignedLong(from.getInt());
  }

  private long nonNegative() throws IOException {
    long number = number();
    if (number < 0) {
      throw new IOException("a length is %d".formatted(number));
    }
    return number;
  }

  /** Returns how many items a list has. */
  private long count(int kind) throws IOException {
    int found = from.getInt();
    long count = nonNegative();
    if ((found != kind && (found != 0 || count != 0)) || count > MOST_ITEMS) {
      throw new IOException(
          "a list of kind %d has %d items, not at most %d of kind %d"
              .formatted(found, count, MOST_ITEMS, kind));
    }
    return count;
  }

  private String name() throws IOException {
    return text(nonNegative());
  }

  private String text(long bytes) throws IOException {
    ByteBuffer part = part(bytes);
    byte[] text = new byte[part.remaining()];
    part.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Returns the next bytes, and moves behind those that pad them to four. */
  private ByteBuffer part(long bytes) throws IOException {
    if (bytes > Integer.MAX_VALUE / 2) {
      throw new IOException("a part of the header has %d bytes".formatted(bytes));
    }
    int start = from.position();
    from.position(start + checked((bytes + 3) / 4 * 4));
    return from.slice(start, (int) bytes);
  }

  private int checked(long bytes) {
    if (bytes > from.remaining()) {
      throw new BufferUnderflowException();
    }
    return (int) bytes;
  }

  private Map<String, Object> attributes() throws IOException {
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (long left = count(ATTRIBUTES); left > 0; left--) {
      String name = name();
      int kind = from.getInt();
      long count = nonNegative();
      if (kind == CHARACTERS) {
        String text = text(count);
        int end = text.indexOf('\0');
        attributes.put(name, end < 0 ? text : text.substring(0, end));
      } else {
        CellType type = type(kind);
        if (count > Integer.MAX_VALUE / 16) {
          throw new IOException("the attribute %s has %d values".formatted(name, count));
        }
        ByteBuffer values = part(count * type.bytes());
        List<Object> numbers = new ArrayList<>();
        for (int i = 0; i < Math.min(count, MOST_ITEMS); i++) {
          numbers.add(value(type, values, i * type.bytes()));
        }
        attributes.put(name, numbers.size() == 1 ? numbers.get(0) : numbers);
      }
    }
    return attributes;
  }

  private static Number value(CellType type, ByteBuffer values, int at) {
    CellFormat format = new CellFormat(type, true);
    if (type.isFloating()) {
      return format.asDouble(values, at);
    }
    long integer = format.integer(values, at);
    return type == CellType.UINT64 && integer < 0
        ? new BigInteger(Long.toUnsignedString(integer))
        : (Number) integer;
  }

  private static CellType type(int kind) throws IOException {
    if (kind < 1 || kind > TYPES.size()) {
      throw new IOException(
          "values have the type %d, and types are 1 to %d".formatted(kind, TYPES.size()));
    }
    return TYPES.get(kind - 1);
  }

  private Variable variable(List<Axis> all) throws IOException {
    String name = name();
    long count = nonNegative();
    if (count > MOST_AXES) {
      throw new IOException("the variable %s has %d axes".formatted(name, count));
    }
    List<Axis> axes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long axis = number();
      if (axis < 0 || axis >= all.size()) {
        throw new IOException(
            "the variable %s has the axis %d of %d".formatted(name, axis, all.size()));
      }
      axes.add(all.get((int) axis));
    }
    Map<String, Object> attributes = attributes();
    int kind = from.getInt();
    CellType type = type(kind);
    number(); // its bytes, which follow from its axes
    long begin = version == 1 ? Integer.toUnsignedLong(from.getInt()) : from.getLong();
    return new Variable(name, List.copyOf(axes), attributes, type, kind == CHARACTERS, begin);
  }

  /** Returns a variable by its name. */
  Optional<Variable> variable(String name) {
    return Optional.ofNullable(variables.get(name));
  }
}
