/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The weights of a weighted sum, from the lowest offset to the highest (correlation order). Two are
 * equal if all their bits are.
 */
public final class Weights implements Serializable {
  private static final long serialVersionUID = 1L;

  /** No weights, for every reduction but the weighted sum. */
  public static final Weights NONE = new Weights(new double[0]);

  private final double[] values;

  private Weights(double[] values) {
    this.values = values;
  }

  /** Returns weights with a copy of {@code values}, each of which must be finite. */
  public static Weights of(double... values) {
    requireNonNull(values, "values is null");
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        throw new InvalidStencilException(
            "weight %d is %s; weights must be finite".formatted(i, values[i]));
      }
    }
    return values.length == 0 ? NONE : new Weights(values.clone());
  }

  /** Returns the number of weights. */
  public int size() {
    return values.length;
  }

  /** Returns weight {@code index}; 0 is the lowest offset. */
  public double get(int index) {
    return values[index];
  }

  /** Returns the weights as a new array. */
  public double[] toArray() {
    return values.clone();
  }

  /** Returns the weights in reverse order, which turns a correlation into a convolution. */
  public Weights reversed() {
    double[] reversed = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      reversed[i] = values[values.length - 1 - i];
    }
    return new Weights(reversed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Weights that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
