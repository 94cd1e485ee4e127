/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.unsafe.types.UTF8String;

/** Memory of texts, each of which is known by a word that says where it lies. */
public interface TextMemory {
  /** Returns a text where it lies, which is there until the memory is given back. */
  UTF8String text(long place);

  /** Returns the number of bytes of a text. */
  int bytes(long place);

  /** Copies the {@code bytes} of a text. */
  void copy(long place, int bytes, Object to, long offset);
}
