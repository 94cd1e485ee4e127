/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.model.ElementType;
import java.util.Random;

/** Makes series at random; the same seed gives the same series. */
public final class SeriesGenerator {
  /** What the cells of a series are like. */
  public enum CellMix {
    /** Numbers of both signs and many magnitudes. */
    ORDINARY,
    /** Ordinary ones with NaN, infinities, zeros of both signs, subnormals and runs of ties. */
    SPECIAL,
    /** Ordinary ones, every fifth null. */
    NULLS,
    /** Special ones with long runs of nulls. */
    SPECIAL_NULLS
  }

  private static final double[] SPECIAL = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    0.0,
    -0.0,
    0.0,
    -0.0,
    Float.MIN_VALUE,
    -3 * Float.MIN_VALUE,
    Float.MIN_NORMAL / 2,
    Double.MIN_VALUE,
    -Double.MIN_NORMAL / 4,
    1,
    1,
    -1
  };

  private final Random random;

  /** Creates a generator. */
  public SeriesGenerator(long seed) {
    random = new Random(seed);
  }

  /** Returns a number in {@code [0, bound)}. */
  public int nextInt(int bound) {
    return random.nextInt(bound);
  }

  /** Returns the next series. */
  public TestSeries next(ElementType type, int length, CellMix kind) {
    boolean special = kind == CellMix.SPECIAL || kind == CellMix.SPECIAL_NULLS;
    Object cells = type.newArray(length);
    for (int i = 0; i < length; i++) {
      boolean odd = isSpecial(i, special);
      switch (type) {
        case F32 -> ((float[]) cells)[i] = nextFloat(odd);
        case F64 -> ((double[]) cells)[i] = nextDouble(odd);
        case I32 -> ((int[]) cells)[i] = (int) nextLong(odd, Integer.SIZE);
        case I64 -> ((long[]) cells)[i] = nextLong(odd, Long.SIZE);
      }
    }
    return new TestSeries(type, cells, validity(length, kind));
  }

  private byte[] validity(int length, CellMix kind) {
    if (kind != CellMix.NULLS && kind != CellMix.SPECIAL_NULLS) {
      return null;
    }
    byte[] validity = new byte[length];
    boolean runs = kind == CellMix.SPECIAL_NULLS;
    byte current = 1;
    for (int i = 0; i < length; i++) {
      if (!runs) {
        current = random.nextInt(5) == 0 ? (byte) 0 : 1;
      } else if (random.nextInt(12) == 0) {
        current = (byte) (1 - current);
      }
      validity[i] = current;
    }
    return validity;
  }

  private double number() {
    return random.nextGaussian() * Math.scalb(1.0, random.nextInt(20) - 10);
  }

  /** Specials come in stretches, so that there are stretches without them too. */
  private boolean isSpecial(int index, boolean special) {
    return special && (index / 97) % 3 != 1 && random.nextInt(6) == 0;
  }

  private double specialNumber() {
    return SPECIAL[random.nextInt(SPECIAL.length)];
  }

  private float nextFloat(boolean special) {
    float cell = (float) (special ? specialNumber() : number());
    boolean other = Float.isNaN(cell) && random.nextBoolean();
    return other ? Float.intBitsToFloat(0xffc12345) : cell; // a NaN with a sign and a payload
  }

  private double nextDouble(boolean special) {
    double cell = special ? specialNumber() : number();
    boolean other = Double.isNaN(cell) && random.nextBoolean();
    return other ? Double.longBitsToDouble(0xfff8123456789abcL) : cell;
  }

  private long nextLong(boolean special, int bits) {
    long least = Long.MIN_VALUE >> (Long.SIZE - bits);
    return special
        ? new long[] {least, ~least, 0, -1}[random.nextInt(4)]
        : random.nextLong() >> (Long.SIZE - bits + random.nextInt(bits));
  }
}
