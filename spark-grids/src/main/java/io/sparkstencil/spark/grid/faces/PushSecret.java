/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * 128 random bits that name a run to one executor. They are in no message but the tickets and the
 * headers of faces.
 */
record PushSecret(long high, long low) {
  static final int BYTES = 2 * Long.BYTES;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Returns a new one. */
  static PushSecret next() {
    return new PushSecret(RANDOM.nextLong(), RANDOM.nextLong());
  }

  static PushSecret of(ByteBuffer bytes) {
    return new PushSecret(bytes.getLong(), bytes.getLong());
  }

  void put(ByteBuffer bytes) {
    bytes.putLong(high).putLong(low);
  }

  /** Says nothing, as texts are logged. */
  @Override
  public String toString() {
    return "PushSecret";
  }
}
