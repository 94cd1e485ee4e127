/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The predictors 2 and 3 of TIFF: of each row, numbers are stored as differences from those before
 * them; of floating-point numbers with 3, the bytes of a row are, and all first bytes come first.
 *
 * @param floating whether it is predictor 3, whose numbers are big-endian
 * @param cellBytes the bytes of a number
 * @param apart how many numbers lie between those that are compared: those of a cell
 * @param rowCells the numbers of a row
 * @param bigEndian the order of the bytes of numbers
 */
public record Predictor(boolean floating, int cellBytes, int apart, int rowCells, boolean bigEndian)
    implements BytesCodec {
  @Override
  public ByteBuffer decode(ByteBuffer encoded, int mostBytes) throws IOException {
    byte[] bytes = new byte[encoded.remaining()];
    encoded.duplicate().get(bytes);
    int rowBytes = Math.multiplyExact(rowCells, cellBytes);
    if (bytes.length % rowBytes != 0) {
      throw new IOException(
          "%d bytes are stored, which are no rows of %d".formatted(bytes.length, rowBytes));
    }
    byte[] row = new byte[floating ? rowBytes : 0];
    ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer numbers = ByteBuffer.wrap(bytes).order(order);
    for (int start = 0; start < bytes.length; start += rowBytes) {
      if (floating) {
        addBytes(bytes, start, rowBytes, row);
      } else {
        add(numbers, start);
      }
    }
    return ByteBuffer.wrap(bytes);
  }

  private void addBytes(byte[] bytes, int start, int rowBytes, byte[] row) {
    for (int i = apart; i < rowBytes; i++) {
      bytes[start + i] += bytes[start + i - apart];
    }
    System.arraycopy(bytes, start, row, 0, rowBytes);
    for (int cell = 0; cell < rowCells; cell++) {
      for (int each = 0; each < cellBytes; each++) {
        bytes[start + cell * cellBytes + each] = row[each * rowCells + cell];
      }
    }
  }

  private void add(ByteBuffer numbers, int start) {
    for (int cell = apart; cell < rowCells; cell++) {
      int at = start + cell * cellBytes;
      int before = at - apart * cellBytes;
      switch (cellBytes) {
        case 1 -> numbers.put(at, (byte) (numbers.get(at) + numbers.get(before)));
        case 2 -> numbers.putShort(at, (short) (numbers.getShort(at) + numbers.getShort(before)));
        case 4 -> numbers.putInt(at, numbers.getInt(at) + numbers.getInt(before));
        default -> numbers.putLong(at, numbers.getLong(at) + numbers.getLong(before));
      }
    }
  }

  @Override
  public ByteBuffer encode(ByteBuffer bytes) throws IOException {
    byte[] stored = new byte[bytes.remaining()];
    bytes.duplicate().get(stored);
    int rowBytes = Math.multiplyExact(rowCells, cellBytes);
    if (!floating || stored.length % rowBytes != 0) {
      throw new IOException("only whole rows are written, with predictor 3");
    }
    byte[] row = new byte[rowBytes];
    for (int start = 0; start < stored.length; start += rowBytes) {
      for (int cell = 0; cell < rowCells; cell++) {
        for (int each = 0; each < cellBytes; each++) {
          row[each * rowCells + cell] = stored[start + cell * cellBytes + each];
        }
      }
      for (int i = 0; i < rowBytes; i++) {
        stored[start + i] = (byte) (row[i] - (i < apart ? 0 : row[i - apart]));
      }
    }
    return ByteBuffer.wrap(stored);
  }
}
