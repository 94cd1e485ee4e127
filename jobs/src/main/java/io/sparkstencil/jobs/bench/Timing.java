/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.bench;

import java.util.List;

/**
 * The times of one workload by one contender.
 *
 * @param workload what was computed
 * @param contender its name
 * @param seconds of each timed run, in their order; at least one
 */
record Timing(Workload workload, String contender, List<Double> seconds) {
  Timing {
    seconds = List.copyOf(seconds);
  }

  /** Returns the median; of an even number of runs the faster of the two in the middle. */
  double median() {
    return seconds.stream().sorted().skip((seconds.size() - 1) / 2).findFirst().orElseThrow();
  }
}
