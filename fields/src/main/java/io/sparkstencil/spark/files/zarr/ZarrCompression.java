/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

/** How chunks are compressed. */
public enum ZarrCompression {
  /** Not at all: the fastest, and what cells of simulations often come to anyway. */
  NONE(0),
  /** By gzip, which every reader has. */
  GZIP(1),
  /** By Zstandard: smaller and several times faster than gzip. */
  ZSTD(1);

  private final int level;

  ZarrCompression(int level) {
    this.level = level;
  }

  int level() {
    return level;
  }
}
