/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * A sum of longs in 128 bits, which never overflows. Such sums are exact in whatever order, so that
 * what leaves a frame is subtracted.
 */
public final class WideSum {
  private long low;
  private long high;

  /** Makes the sum 0. */
  public void clear() {
    low = 0;
    high = 0;
  }

  /** Adds a number. */
  public void add(long value) {
    long sum = low + value;
    long carry = ((low & value) | ((low | value) & ~sum)) >>> (Long.SIZE - 1);
    high += (value >> (Long.SIZE - 1)) + carry;
    low = sum;
  }

  /** Adds a number of up to 127 bits. */
  public void add(BigInteger value) {
    long before = low;
    low += value.longValue();
    high += value.shiftRight(Long.SIZE).longValue();
    high += Long.compareUnsigned(low, before) < 0 ? 1 : 0;
  }

  /** Subtracts a number. */
  public void subtract(long value) {
    long rest = low - value;
    long borrow = ((~low & value) | ((~low | value) & rest)) >>> (Long.SIZE - 1);
    high -= (value >> (Long.SIZE - 1)) + borrow;
    low = rest;
  }

  /** Tells whether the sum is a long, which {@link #low} is then. */
  public boolean isLong() {
    return high == low >> (Long.SIZE - 1);
  }

  /** Returns the low 64 bits. */
  public long low() {
    return low;
  }

  /** Returns the high 64 bits. */
  public long high() {
    return high;
  }

  /** Returns the sum. */
  public BigInteger value() {
    return new BigInteger(ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array());
  }
}
