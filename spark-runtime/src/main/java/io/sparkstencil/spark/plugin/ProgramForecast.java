/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.util.List;
import java.util.Locale;

/** What a plan can say of a program's engine before it is known where and on what it runs. */
public final class ProgramForecast {
  private static final int MOST_CELLS = 1 << 30;

  private ProgramForecast() {}

  /**
   * Returns the engine in one line: the one that is asked for or, under {@code auto}, the number of
   * cells from which on another than the CPU is estimated to be faster.
   *
   * @param engine the engine's name or {@code auto}
   * @param of what the cells are counted in: {@code a batch of arrays}
   */
  public static String of(
      String engine, StencilProgram program, ElementType type, int steps, String of) {
    return of(engine, program, type, steps, of, ProgramEngines.discover());
  }

  static String of(
      String engine,
      StencilProgram program,
      ElementType type,
      int steps,
      String of,
      List<ProgramEngineProvider> providers) {
    if (!engine.equals(Engines.AUTO)) {
      return "%s, as requested".formatted(engine);
    }
    ProgramWork work = ProgramWork.of(ProgramTraits.of(program));
    ProgramEngineProvider host = named(providers, Engines.CPU);
    ProgramEngineProvider device = named(providers, Engines.GPU);
    if (device == null) {
      return "auto: the CPU, as no engine for a GPU is on the class path";
    }
    long least = leastCells(host, device, work, type, steps);
    return least > MOST_CELLS
        ? "auto: the CPU, which is estimated to be faster than a GPU for any number of cells"
        : String.format(
            Locale.ROOT,
            "auto: a GPU, where the executor has one, from about %,d cells of %s on, as estimated;"
                + " else the CPU",
            rounded(least),
            of);
  }

  private static ProgramEngineProvider named(List<ProgramEngineProvider> providers, String name) {
    return providers.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  /** Returns a number with two digits that tell, as an estimate has no more. */
  private static long rounded(long number) {
    long unit = (long) Math.pow(10, Math.max(0, Math.floor(Math.log10((double) number)) - 1));
    return Math.round((double) number / unit) * unit;
  }

  /** Returns the fewest cells with which the device is faster; more than there can be if never. */
  private static long leastCells(
      ProgramEngineProvider host,
      ProgramEngineProvider device,
      ProgramWork work,
      ElementType type,
      int steps) {
    long low = 0; // the host is faster
    long high = 1L + MOST_CELLS;
    while (high - low > 1) {
      long cells = (low + high) / 2;
      ProgramWork run = work.of(type, Extent.of((int) cells), steps, 1);
      boolean onDevice = device.estimate(run).seconds() < host.estimate(run).seconds();
      low = onDevice ? low : cells;
      high = onDevice ? cells : high;
    }
    return high;
  }
}
