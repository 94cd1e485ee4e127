/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.testkit.programs.ProgramCase;
import io.sparkstencil.testkit.programs.ProgramConformance;
import io.sparkstencil.testkit.programs.RandomPrograms;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Programs at random on a GPU: small ones against the reference, and some on larger fields, where
 * several steps are taken at once, against the CPU. The driver compiles one kernel of a process at
 * a time, so that many cases need several processes with seeds of their own:
 *
 * <pre>
 *   java -cp ... io.sparkstencil.kernels.program.ProgramConformanceRun FIRST_SEED CASES SECONDS
 * </pre>
 *
 * Ends with 1 if a result is wrong. Every tenth case is a larger one.
 */
final class ProgramConformanceRun {
  private static final int BATCH = 20;

  private ProgramConformanceRun() {}

  /** Runs cases until there have been enough, or the time is over. */
  public static void main(String[] args) {
    long seed = Long.parseLong(args[0]);
    int cases = Integer.parseInt(args[1]);
    long end = System.nanoTime() + (long) (Double.parseDouble(args[2]) * 1e9);
    int small = 0;
    int large = 0;
    int wrong = 0;
    try (GpuPrograms engine = ProgramChecks.open(Map.of(), FusedSource.ESTIMATED);
        GpuPrograms fused = ProgramChecks.open(Map.of(), ProgramChecks.ALWAYS)) {
      while (small + large < cases && System.nanoTime() < end) {
        try {
          ProgramConformance.requireReferenceResults(
              (program, arrays, parameters, steps) ->
                  engine.compile(program).run(arrays, parameters, steps, 1),
              seed,
              BATCH);
          large += runLarge(fused, seed, BATCH / 10);
        } catch (AssertionError e) {
          System.out.println(e.getMessage());
          wrong++;
        }
        small += BATCH;
        seed++;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d programs on small fields, %d on larger ones, %d wrong%n",
        small,
        large,
        wrong);
    System.exit(wrong == 0 ? 0 : 1);
  }

  private static int runLarge(GpuPrograms engine, long seed, int count) {
    RandomPrograms programs = new RandomPrograms(seed + 1_000_000);
    Random random = new Random(seed);
    for (int i = 0; i < count; i++) {
      ProgramCase small = programs.nextCase();
      Extent extent =
          switch (small.program().dimensions()) {
            case 1 -> Extent.of(20_000 + random.nextInt(20_000));
            case 2 -> Extent.of(150 + random.nextInt(150), 200 + random.nextInt(300));
            default ->
                Extent.of(
                    30 + random.nextInt(30), 40 + random.nextInt(30), 90 + random.nextInt(60));
          };
      ProgramCase test =
          new ProgramCase(
              small.program(),
              small.type(),
              extent,
              1 + random.nextInt(20),
              small.kind(),
              small.seed());
      ProgramArrays expected = test.arrays();
      ProgramArrays actual = test.arrays();
      CpuProgram.compile(test.program(), Map.of())
          .run(expected, test.parameters(), test.steps(), 1);
      engine.compile(test.program()).run(actual, test.parameters(), test.steps(), 1);
      for (int field = 0; field < test.program().fields().size(); field++) {
        int cell = ProgramChecks.mismatch(expected.arrays().get(field), actual.arrays().get(field));
        if (cell >= 0) {
          throw new AssertionError("field %d differs in cell %d: %s".formatted(field, cell, test));
        }
      }
    }
    return count;
  }
}
