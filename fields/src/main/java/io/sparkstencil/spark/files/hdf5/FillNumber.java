/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The number of cells that nobody has written. */
final class FillNumber {
  private FillNumber() {}

  /** Returns the number; nothing if it is not defined. */
  static Optional<Number> of(ObjectHeader header, CellFormat format) throws IOException {
    Optional<ObjectHeader.Message> message = header.find(ObjectHeader.FILL_VALUE);
    if (message.isEmpty()) {
      return Optional.of(0);
    }
    ByteBuffer from = message.get().own("a fill value");
    int version = from.get();
    if (version < 1 || version > 3) {
      throw new IOException("the version of a fill value is %d, not 1 to 3".formatted(version));
    }
    boolean defined = true;
    boolean said = true;
    if (version == 3) {
      int flags = from.get();
      defined = (flags & 0x10) == 0;
      said = (flags & 0x20) != 0;
    } else {
      from.getShort(); // when space is taken, and when it is filled
      defined = from.get() != 0;
      said = version == 1 || defined;
    }
    int bytes = said ? from.getInt() : 0;
    if (bytes <= 0) {
      return defined && bytes == 0 ? Optional.of(0) : Optional.empty();
    }
    if (bytes != format.type().bytes()) {
      throw new IOException("the fill value has %d bytes".formatted(bytes));
    }
    return Optional.of(number(format, from.slice(from.position(), bytes)));
  }

  /** Returns a number as it is stored, one without a sign too. */
  static Number number(CellFormat format, ByteBuffer one) {
    ByteBuffer from = one.order(format.order());
    if (format.type().isFloating()) {
      return format.asDouble(from, 0);
    }
    long integer = format.integer(from, 0);
    return format.type() == CellType.UINT64 && integer < 0
        ? new BigInteger(Long.toUnsignedString(integer))
        : (Number) integer;
  }
}
