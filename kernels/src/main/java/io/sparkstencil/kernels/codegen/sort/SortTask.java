/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.variant.KernelKey;
import java.util.Locale;

/**
 * The steps of a stable radix sort of rows. Rows are unpacked as they come. The keys of a row, of
 * which floating-point numbers become integers first, are packed into a sort word of 64 bits. A
 * pass counts the rows of each tile by one digit of their sort word, scans the counts, and scatters
 * the sort words and the numbers of their rows; the lowest digit comes first. In the end the
 * columns are gathered by the numbers of the rows.
 *
 * <pre>
 *   unpack ... unpack | pack ... pack | count scan scatter | ... | count scan scatter | gather ... gather
 * </pre>
 */
public enum SortTask implements KernelKey {
  /** Unpacks rows as they were added. */
  UNPACK,
  /** Makes integers of floats. */
  FLOAT_NUMBERS,
  /** Makes integers of doubles. */
  DOUBLE_NUMBERS,
  /** Begins sort words with the first key. */
  PACK_FIRST,
  /** Appends a key to sort words. */
  PACK_NEXT,
  /** Counts the rows of each tile by their digit. */
  COUNT,
  /** Makes of the counts of a digit those of the tiles before each, and the digit's total. */
  SCAN,
  /** Scatters rows that lie as they came. */
  SCATTER_FIRST,
  /** Scatters rows that have been scattered before. */
  SCATTER_NEXT,
  /** Takes a column's words by the numbers of the rows. */
  GATHER;

  /** Bits of a digit. */
  public static final int DIGIT_BITS = 8;

  /** Values of a digit. */
  public static final int DIGITS = 1 << DIGIT_BITS;

  /** Threads of a block; a thread for each digit. */
  static final int THREADS = DIGITS;

  /** Rows of a tile that a thread takes. */
  static final int ITEMS = 16;

  /** Rows that a block counts and scatters. */
  public static final int TILE_ROWS = THREADS * ITEMS;

  /** Returns the tiles of some rows. */
  public static int tiles(int rows) {
    return Math.toIntExact(((long) rows + TILE_ROWS - 1) / TILE_ROWS);
  }

  @Override
  public String entryName() {
    return "sort_" + name().toLowerCase(Locale.ROOT);
  }

  /** Returns the kernel. */
  public GeneratedKernel generate() {
    return switch (this) {
      case UNPACK -> UnpackKernel.generate();
      case FLOAT_NUMBERS, DOUBLE_NUMBERS -> NumberKernel.generate(this);
      case PACK_FIRST, PACK_NEXT -> PackKernel.generate(this);
      case COUNT -> CountKernel.generate();
      case SCAN -> ScanKernel.generate();
      case SCATTER_FIRST, SCATTER_NEXT -> new ScatterKernel(this).generate();
      case GATHER -> SortGatherKernel.generate();
    };
  }
}
