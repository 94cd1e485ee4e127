/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/**
 * Where the rows of a box lie in device memory.
 *
 * @param address that of the first byte
 * @param row bytes from a row to the next
 * @param plane bytes from a plane to the next, a multiple of {@code row}
 */
public record Pitched(long address, long row, long plane) {
  /** Returns rows that follow one another without gaps. */
  public static Pitched dense(long address, long rowBytes, long rows) {
    return new Pitched(address, rowBytes, rowBytes * rows);
  }

  long row(long plane, long index) {
    return address + plane * this.plane + index * row;
  }
}
