/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.io.Serializable;

/**
 * A cell whose value is kept after each step, when sources have added to it.
 *
 * <pre>{@code
 * Receiver north = new Receiver("u", new long[] {0, 50}, "north");
 * }</pre>
 *
 * @param field the name of the field
 * @param cell the position of the cell, slowest axis first; not changed afterwards
 * @param name by which the values are found
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Receiver(String field, long[] cell, String name) implements Serializable {
  /** Copies the position. */
  public Receiver {
    cell = cell.clone();
  }
}
