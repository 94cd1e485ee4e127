/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import java.io.Serializable;
import java.util.SplittableRandom;

/** A row of the benchmark: a number and a signal. A bean, because Spark encodes beans. */
public final class Trace implements Serializable {
  private static final long serialVersionUID = 1L;

  private long id;
  private float[] a;

  /** Returns trace {@code id}: uniform noise in [-1, 1), the same for the same arguments. */
  static Trace of(long id, int length) {
    Trace trace = new Trace();
    trace.id = id;
    trace.a = new float[length];
    SplittableRandom random = new SplittableRandom(id);
    for (int i = 0; i < length; i++) {
      trace.a[i] = (float) random.nextDouble(-1, 1);
    }
    return trace;
  }

  public long getId() {
    return id;
  }

  public void setId(long id) {
    this.id = id;
  }

  public float[] getA() {
    return a;
  }

  public void setA(float[] a) {
    this.a = a;
  }
}
