/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.StencilSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A search on the local device for the fastest way to run stencils. Its findings are stored in a
 * file that engines read from then on. Owns the device memory used for measuring. Not thread-safe.
 */
public interface ScheduleTuning extends AutoCloseable {
  /** Returns a description of the engine and its device. */
  String description();

  /** Returns the file in which findings are stored. */
  Path file();

  /**
   * Measures all schedules that may be faster for {@code spec}, and stores the fastest.
   *
   * @throws StencilException if nothing can be measured, or the file cannot be written
   */
  FoundSchedule tune(StencilSpec spec);

  @Override
  void close();

  /**
   * Parameters of a search.
   *
   * @param options values of {@code spark.stencil.*} keys
   * @param folder the folder for schedules; empty for the one that the options name
   * @param cells results of one launch
   * @param samples timed samples per schedule
   * @param widestFrame cells of the widest frame that will be tuned
   */
  record Request(
      Map<String, String> options,
      Optional<Path> folder,
      int cells,
      int samples,
      int widestFrame) {}

  /**
   * The result of a search.
   *
   * @param schedule the name of the schedule that is used from now on: the built-in choice, unless
   *     another is clearly faster
   * @param millis its median time
   * @param selectedMillis the median time of the built-in choice; empty if it does not compile
   * @param measured the number of schedules measured
   */
  record FoundSchedule(
      String schedule, double millis, OptionalDouble selectedMillis, int measured) {}
}
