/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The checksum of metadata in HDF5: the hash lookup3 (Bob Jenkins, 2006). */
final class Lookup3 {
  private static final int WORDS_BYTES = 12;

  private int a;
  private int b;
  private int c;

  private Lookup3(int length) {
    a = 0xdeadbeef + length;
    b = a;
    c = a;
  }

  /** Returns the checksum of all bytes of a buffer. */
  static int of(ByteBuffer bytes) {
    ByteBuffer from = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    Lookup3 hash = new Lookup3(from.remaining());
    while (from.remaining() > WORDS_BYTES) {
      hash.add(from);
      hash.mix();
    }
    if (!from.hasRemaining()) {
      return hash.c;
    }
    byte[] last = new byte[WORDS_BYTES];
    from.get(last, 0, from.remaining());
    hash.add(ByteBuffer.wrap(last).order(ByteOrder.LITTLE_ENDIAN));
    hash.finish();
    return hash.c;
  }

  private void add(ByteBuffer words) {
    a += words.getInt();
    b += words.getInt();
    c += words.getInt();
  }

  private void mix() {
    a = (a - c) ^ Integer.rotateLeft(c, 4);
    c += b;
    b = (b - a) ^ Integer.rotateLeft(a, 6);
    a += c;
    c = (c - b) ^ Integer.rotateLeft(b, 8);
    b += a;
    a = (a - c) ^ Integer.rotateLeft(c, 16);
    c += b;
    b = (b - a) ^ Integer.rotateLeft(a, 19);
    a += c;
    c = (c - b) ^ Integer.rotateLeft(b, 4);
    b += a;
  }

  private void finish() {
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    c = (c ^ b) - Integer.rotateLeft(b, 24);
  }
}
