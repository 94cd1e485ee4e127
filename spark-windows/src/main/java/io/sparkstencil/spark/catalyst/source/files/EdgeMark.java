/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

/**
 * What a shuffled row is of the rows that a split has of its series: a word beside the row, which
 * also has the split, and the place of the row among all that the split sends. Rows of a split that
 * tie are in the order of their words.
 */
enum EdgeMark {
  /** One of all rows: none of them has stayed where they were read. */
  WHOLE(0),
  /** One of the first rows, after which there is a gap. */
  HEAD(1),
  /** One of the last rows, before which there is a gap. */
  TAIL(2);

  private static final EdgeMark[] BY_CODE = {WHOLE, HEAD, TAIL};

  private final int code;

  EdgeMark(int code) {
    this.code = code;
  }

  /**
   * Returns the word of a row.
   *
   * @param place of the row, among those that a split sends
   */
  long word(int split, int place) {
    return ((long) split * BY_CODE.length + code) << Integer.SIZE | Integer.toUnsignedLong(place);
  }

  /** Returns the split and the mark of a word, as a number. */
  static int part(long word) {
    return (int) (word >>> Integer.SIZE);
  }

  /** Returns what the rows of a part are. */
  static EdgeMark of(int part) {
    return BY_CODE[part % BY_CODE.length];
  }

  /** Tells whether parts are the head and the tail of the same split. */
  static boolean isGap(int part, int next) {
    return of(part) == HEAD && next == part + TAIL.code - HEAD.code;
  }
}
