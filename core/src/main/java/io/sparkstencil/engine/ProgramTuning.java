/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * A search on the local device for the fastest way to take steps of programs. Its findings are
 * stored in a file that engines for programs read from then on. Not thread-safe.
 */
public interface ProgramTuning extends AutoCloseable {
  /** Returns a description of the engine and its device. */
  String description();

  /** Returns the file in which findings are stored. */
  Path file();

  /**
   * Measures the ways that may be the fastest, and stores the fastest of them. A finding holds for
   * this program, with the same constants and boundaries, on fields of this type and extent.
   *
   * @param each is told what was measured, one by one
   * @throws StencilException if the fields do not fit on the device, or the file cannot be written
   */
  FoundProgram tune(StencilProgram program, ElementType type, Extent extent, Consumer<Trial> each);

  @Override
  void close();

  /**
   * Parameters of a search.
   *
   * @param options values of {@code spark.stencil.*} keys
   * @param folder the folder for findings; empty for the one that the options name
   * @param samples timed samples of each way
   * @param seconds after which nothing more is tried for a program
   */
  record Request(Map<String, String> options, Optional<Path> folder, int samples, int seconds) {}

  /**
   * A way that was tried.
   *
   * @param kernel the name of the kernel that takes the steps
   * @param millisPerStep the median time of a step; empty if the kernel cannot be used
   */
  record Trial(String kernel, OptionalDouble millisPerStep) {}

  /**
   * The result of a search.
   *
   * @param kept what is used from now on: the built-in choice, unless another is clearly faster
   * @param builtIn the built-in choice
   * @param measured the number of kernels measured
   */
  record FoundProgram(Trial kept, Trial builtIn, int measured) {}
}
