/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.bench;

/** A window that is timed: SQL that every Spark runs, with or without this library. */
enum Workload {
  ONE_SERIES(
      "mean of 17 rows, one series",
      "avg(v) OVER (ORDER BY t ROWS BETWEEN 8 PRECEDING AND 8 FOLLOWING)"),
  WIDE_FRAME(
      "max of 129 rows, one series",
      "max(v) OVER (ORDER BY t ROWS BETWEEN 64 PRECEDING AND 64 FOLLOWING)"),
  RUNNING("running sum, one series", "sum(v) OVER (ORDER BY t)"),
  MANY_SERIES(
      "mean of 17 rows, 256 series",
      "avg(v) OVER (PARTITION BY pmod(t, 256) ORDER BY t ROWS BETWEEN 8 PRECEDING AND 8 FOLLOWING)");

  /** A prime: multiples of it reach each remainder once, in no order. */
  private static final int STRIDE = 7_368_787;

  private final String title;
  private final String window;

  Workload(String title, String window) {
    this.title = title;
    this.window = window;
  }

  /** Returns what is computed, in a few words. */
  String title() {
    return title;
  }

  /** Returns the window. */
  String window() {
    return window;
  }

  /**
   * Returns a query over generated rows, which come in no order. Its one row holds a digest of all
   * results: equal digests are equal bits.
   */
  String query(long rows) {
    return ("SELECT bit_xor(xxhash64(t, r)) FROM (SELECT t, %s AS r FROM"
            + " (SELECT pmod(id * %d, %d) AS t, pmod(hash(id), 1000003) / 1000D AS v FROM range(%d)))")
        .formatted(window, STRIDE, rows, rows);
  }
}
