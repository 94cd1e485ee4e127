/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.StencilSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A search, on the device at hand, for the fastest way to run stencils. What it finds is kept in a
 * file that engines read from then on. Owns the device memory to measure in; for one thread.
 */
public interface ScheduleTuning extends AutoCloseable {
  /** Returns the engine and its device as text. */
  String description();

  /** Returns the file that keeps what is found. */
  Path file();

  /**
   * Measures all that may be faster for {@code spec}, and keeps what is.
   *
   * @throws StencilException if nothing can be measured, or the file cannot be written
   */
  Outcome tune(StencilSpec spec);

  @Override
  void close();

  /**
   * What to measure with.
   *
   * @param options values of {@code spark.stencil.*} keys
   * @param folder where schedules are kept; empty for the one that the options name
   * @param cells results of one launch
   * @param samples timed samples per schedule
   * @param widestFrame cells of the widest frame to come
   */
  record Request(
      Map<String, String> options,
      Optional<Path> folder,
      int cells,
      int samples,
      int widestFrame) {}

  /**
   * What a search came to.
   *
   * @param schedule name of what is used from now on: the built-in choice unless another is clearly
   *     faster
   * @param millis its median time
   * @param selectedMillis that of the built-in choice; empty where it does not compile
   * @param measured how many schedules were measured
   */
  record Outcome(String schedule, double millis, OptionalDouble selectedMillis, int measured) {}
}
