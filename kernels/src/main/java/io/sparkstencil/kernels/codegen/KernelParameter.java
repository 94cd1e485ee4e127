/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

/** One argument of a kernel. Addresses are 64 bits, numbers 32 bits. */
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
  FOLLOWING(4);

  private final int bytes;

  KernelParameter(int bytes) {
    this.bytes = bytes;
  }

  /** Tells whether the argument is an address in device memory. */
  public boolean isAddress() {
    return bytes == 8 && this != TEXTURE;
  }

  /** Returns the bytes of the argument: 8 for an address or a handle, 4 for a number. */
  public int bytes() {
    return bytes;
  }
}
