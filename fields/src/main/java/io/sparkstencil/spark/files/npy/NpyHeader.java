/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.OtherFormat;
import io.sparkstencil.spark.files.ShortText;
import io.sparkstencil.spark.files.StoredFile;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * The first bytes of an npy file: what its cells are and where they begin.
 *
 * @param format the cells' type and byte order
 * @param fortranOrder whether the first axis is the fastest
 * @param shape the cells along each axis, in NumPy's order of axes
 * @param dataOffset the position of the first cell in the file
 */
record NpyHeader(CellFormat format, boolean fortranOrder, List<Long> shape, long dataOffset)
    implements Serializable {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** The magic bytes and the version. */
  private static final int PREFIX_BYTES = MAGIC.length + 2;

  /** Headers are padded so that cells begin at a multiple of this. */
  private static final int ALIGNMENT = 64;

  /** The longest text of a header that is read; 32 axes need less than 800 bytes. */
  private static final int MOST_TEXT_BYTES = 1 << 16;

  /** Returns the header of a new file of little-endian cells. */
  static NpyHeader of(CellType type, List<Long> shape) {
    NpyHeader unplaced = new NpyHeader(new CellFormat(type, false), false, shape, 0);
    return new NpyHeader(unplaced.format, false, shape, unplaced.bytes().length);
  }

  /** Returns the bytes that a new file begins with, in version 1.0 of the format. */
  byte[] bytes() {
    String sizes = shape.stream().map(String::valueOf).collect(Collectors.joining(", "));
    String text =
        "{'descr': '<f%d', 'fortran_order': False, 'shape': (%s%s), }"
            .formatted(format.type().bytes(), sizes, shape.size() == 1 ? "," : "");
    int unpadded = PREFIX_BYTES + Short.BYTES + text.length() + 1;
    int padding = (ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT;
    String padded = text + " ".repeat(padding) + "\n";
    return ByteBuffer.allocate(unpadded + padding)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .put((byte) 1)
        .put((byte) 0)
        .putShort((short) padded.length())
        .put(padded.getBytes(ISO_8859_1))
        .array();
  }

  /**
   * Reads the header of a file.
   *
   * @throws FieldFileException if the file is not an npy file, is shorter than its shape says, or
   *     has cells that fields cannot have
   */
  static NpyHeader read(StoredFile file, FSDataInputStream in, long fileBytes) throws IOException {
    int prefix = PREFIX_BYTES + Integer.BYTES;
    if (fileBytes < prefix) {
      throw FieldFileException.broken(
          "%s has %d bytes, fewer than the header of an npy file; write it by numpy.save"
              .formatted(file, fileBytes));
    }
    ByteBuffer first = ByteBuffer.allocate(prefix).order(ByteOrder.LITTLE_ENDIAN);
    in.readFully(0, first.array());
    if (!first.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
      OtherFormat.of(first.slice(0, OtherFormat.FIRST_BYTES))
          .ifPresent(
              other -> {
                throw other.unread(file);
              });
      throw FieldFileException.broken(
          "%s does not begin as an npy file does; write it by numpy.save".formatted(file));
    }
    int version = first.get(MAGIC.length);
    if (version < 1 || version > 3) {
      throw FieldFileException.unsupported(
          "%s has version %d of the npy format; versions 1 to 3 are read: write it by numpy.save"
              .formatted(file, version));
    }
    long textBytes =
        version == 1
            ? first.getShort(PREFIX_BYTES) & 0xffff
            : Integer.toUnsignedLong(first.getInt(PREFIX_BYTES));
    int textAt = PREFIX_BYTES + (version == 1 ? Short.BYTES : Integer.BYTES);
    if (textBytes > MOST_TEXT_BYTES || textAt + textBytes > fileBytes) {
      throw FieldFileException.broken(
          "%s says that its header has %d bytes; at most %d of a file of %d can be: is it broken?"
              .formatted(file, textBytes, MOST_TEXT_BYTES, fileBytes));
    }
    byte[] text = new byte[(int) textBytes];
    in.readFully(textAt, text);
    NpyHeader header =
        parse(file, new String(text, version == 3 ? UTF_8 : ISO_8859_1), textAt + textBytes);
    header.requireCells(file, fileBytes);
    return header;
  }

  private static NpyHeader parse(StoredFile file, String text, long dataOffset) {
    Map<String, Object> entries = new NpyHeaderText(file, text).entries();
    if (entries.size() == 3
        && entries.get("descr") instanceof String description
        && entries.get("fortran_order") instanceof Boolean fortran
        && entries.get("shape") instanceof List<?> sizes) {
      List<Long> shape = sizes.stream().map(Long.class::cast).toList();
      return new NpyHeader(format(file, description), fortran, shape, dataOffset);
    }
    if (entries.get("descr") instanceof List<?>) {
      throw FieldFileException.unsupported(
          "%s has cells of several numbers each; save one of their fields as an array of its own"
              .formatted(file));
    }
    throw FieldFileException.broken(
        "%s has a header with the entries %s, not descr, fortran_order and shape; is it broken?"
            .formatted(file, ShortText.of(entries.keySet())));
  }

  private static CellFormat format(StoredFile file, String description) {
    return CellFormat.ofNumpy(description)
        .orElseThrow(
            () ->
                FieldFileException.unsupported(
                    ("%s has cells of type %s; cells are booleans, integers, or floating-point"
                            + " numbers of 4 or 8 bytes: %s")
                        .formatted(
                            file,
                            ShortText.of(description),
                            CellType.remedy(description, "save array.astype('float64')"))));
  }

  private void requireCells(StoredFile file, long fileBytes) {
    long cells = FieldChecks.requireStored(shape, file);
    long wanted = cells * format.type().bytes();
    if (fileBytes - dataOffset < wanted) {
      throw FieldFileException.broken(
          "%s has %d bytes of cells, and its shape %s needs %d; was it copied whole?"
              .formatted(file, fileBytes - dataOffset, shape, wanted));
    }
  }
}
