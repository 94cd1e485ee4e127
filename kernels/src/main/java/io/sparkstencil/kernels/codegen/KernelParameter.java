/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

/** One argument of a kernel. Addresses are 64 bits, numbers 32 bits unless they say otherwise. */
public enum KernelParameter {
  /**
   * Address of the staged cells, aligned to 16 bytes; the 16 bytes that hold the last staged cell
   * are read as a whole.
   */
  INPUT(8),
  /** Address of the output positions, aligned to 16 bytes. */
  OUTPUT(8),
  /** Address of the validity bytes of the staged cells, aligned and read as those are. */
  INPUT_VALIDITY(8),
  /** Address of the validity bytes of the output positions, aligned to 16 bytes. */
  OUTPUT_VALIDITY(8),
  /**
   * Address of the {@link GeneratedKernel#weights}, aligned to 16 bytes, readable in whole 16-byte
   * units.
   */
  WEIGHTS(8),
  /** Handle of a texture over the staged cells. */
  TEXTURE(8),
  /** Address of the pieces: 4 numbers each, start, cells, missingLeft, missingRight. */
  PIECES(8),
  /** Address of the numbers of the rows that input words belong to, 32 bits each. */
  INPUT_INDEXES(8),
  /** Address of the numbers of the rows that output words belong to, 32 bits each. */
  OUTPUT_INDEXES(8),
  /**
   * Address of the rows of each tile by their digit, 32 bits each: all tiles of a digit in turn.
   */
  COUNTS(8),
  /** Address of the rows of all tiles by their digit, 32 bits each. */
  TOTALS(8),
  /** Address of the lines that describe rows as they were added. */
  ADDED(8),
  /** The least number of a key, 64 bits. */
  LEAST(8),
  /** Bits of a number that are reversed: none or all, 64 bits. */
  FLIPPED(8),
  /** Staged cells: nothing is read at or after this index. */
  STAGED_CELLS(4),
  /** Output positions: nothing is written at or after this index. */
  POSITIONS(4),
  /** Cells between an output position and the first cell of its frame. */
  SHIFT(4),
  /** Number of pieces. */
  PIECE_COUNT(4),
  /** Halo cells of the layout on the left. */
  LEFT(4),
  /** Halo cells of the layout on the right. */
  RIGHT(4),
  /** The frame's preceding cells, signed. */
  PRECEDING(4),
  /** The frame's following cells, signed. */
  FOLLOWING(4),
  /** Number of rows. */
  ROWS(4),
  /** Number of tiles. */
  TILES(4),
  /** Bits that the numbers of a key need above the least of them. */
  KEY_BITS(4),
  /** Bits of a word above those that hold a number. */
  UNUSED_BITS(4),
  /** The lowest bit of a digit. */
  DIGIT_SHIFT(4);

  private final int bytes;

  KernelParameter(int bytes) {
    this.bytes = bytes;
  }

  /** Tells whether the argument is an address in device memory. */
  public boolean isAddress() {
    return bytes == 8 && this != TEXTURE && this != LEAST && this != FLIPPED;
  }

  /** Returns the bytes of the argument: 8 for an address, a handle or a word, 4 for a number. */
  public int bytes() {
    return bytes;
  }
}
