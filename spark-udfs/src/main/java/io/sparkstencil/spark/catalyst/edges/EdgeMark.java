/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.edges;

/** What a shuffled row is of the rows that a split has of its series: a word beside the row. */
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

  /** Returns the word of rows of a split. */
  long word(int split) {
    return (long) split * BY_CODE.length + code;
  }

  /** Returns what a row is by its word. */
  static EdgeMark of(long word) {
    return BY_CODE[(int) (word % BY_CODE.length)];
  }

  /** Tells whether rows with the words are the head and the tail of the same split. */
  static boolean isGap(long word, long next) {
    return of(word) == HEAD && next == word + TAIL.code - HEAD.code;
  }
}
