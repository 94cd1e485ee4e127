/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import org.apache.spark.util.Utils;

/**
 * A value that travels by Java's serialization whatever serializer the session has: Kryo cannot
 * read and write records.
 */
public final class Packed<T extends Serializable> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] bytes;
  private transient volatile T value;

  private Packed(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Packs a value. */
  public static <T extends Serializable> Packed<T> of(T value) {
    return new Packed<>(Utils.serialize(value));
  }

  /** Returns the value; the same in each call. */
  public T value() {
    if (value == null) {
      synchronized (this) {
        if (value == null) {
          value = Utils.deserialize(bytes, Thread.currentThread().getContextClassLoader());
        }
      }
    }
    return value;
  }
}
