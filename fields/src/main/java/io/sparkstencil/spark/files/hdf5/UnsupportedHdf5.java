/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;

/** Thrown for what a valid file has and is not read. */
final class UnsupportedHdf5 extends IOException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  UnsupportedHdf5(String what, String remedy) {
    super(what);
    this.remedy = remedy;
  }

  String remedy() {
    return remedy;
  }
}
