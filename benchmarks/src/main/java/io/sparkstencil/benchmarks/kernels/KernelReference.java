/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.model.ElementType;
import java.nio.ByteBuffer;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * What kernels must come to, over all cells, tap by tap in the element type. Keeps the answers to
 * the last question, so that several kernels for one stencil cost one computation.
 */
final class KernelReference {
  private static final int CHUNK = 1 << 12;

  private final Object cells;
  private final int outputs;
  private final Object answers;
  private LoopWork answered;

  /**
   * Takes the cells, of which there are more than {@code outputs}; borrowed.
   *
   * @param cells between -1 and 1: {@code float[]} or {@code double[]}
   */
  KernelReference(ElementType type, Object cells, int outputs) {
    this.cells = cells;
    this.outputs = outputs;
    this.answers = type.newArray(outputs);
  }

  /** Says that all cells are others now. */
  void cellsHaveChanged() {
    answered = null;
  }

  /** Returns how many results are wrong. */
  long wrong(LoopWork work, ByteBuffer results) {
    if (!work.equals(answered)) {
      overChunks(from -> answer(work, from));
      answered = work;
    }
    IntToDoubleFunction given =
        work.type() == ElementType.F32
            ? i -> results.getFloat(4 * i)
            : i -> results.getDouble(8 * i);
    return overChunks(from -> work.wrong(answers, from, Math.min(from + CHUNK, outputs), given));
  }

  /** Runs over all outputs on all cores; returns the sum of what the parts return. */
  private long overChunks(IntToLongFunction work) {
    return IntStream.range(0, (outputs + CHUNK - 1) / CHUNK)
        .parallel()
        .mapToLong(chunk -> work.applyAsLong(chunk * CHUNK))
        .sum();
  }

  private long answer(LoopWork work, int from) {
    int count = Math.min(CHUNK, outputs - from);
    Object part = work.type().newArray(count + work.width() - 1);
    System.arraycopy(cells, from, part, 0, count + work.width() - 1);
    System.arraycopy(work.tapByTap(part), 0, answers, from, count);
    return 0;
  }
}
