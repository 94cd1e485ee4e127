/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.Receiver;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What receivers have sampled.
 *
 * @param firstStep the steps of the grid before the first sample
 * @param receivers the cells
 * @param values a value per step for each receiver, all of one length
 */
public record SampleSeries(long firstStep, List<Receiver> receivers, List<double[]> values) {
  /** Copies the lists. */
  public SampleSeries {
    receivers = List.copyOf(receivers);
    values = List.copyOf(values);
  }

  /** Returns the number of steps. */
  int length() {
    return values.isEmpty() ? 0 : values.get(0).length;
  }

  /** Returns the values of a receiver of the same name, field and cell. */
  Optional<double[]> of(Receiver receiver) {
    for (int i = 0; i < receivers.size(); i++) {
      Receiver other = receivers.get(i);
      if (other.name().equals(receiver.name())
          && other.field().equals(receiver.field())
          && Arrays.equals(other.cell(), receiver.cell())) {
        return Optional.of(values.get(i));
      }
    }
    return Optional.empty();
  }
}
