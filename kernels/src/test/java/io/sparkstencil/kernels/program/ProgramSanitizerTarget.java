/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A representative set of programs, for NVIDIA's compute-sanitizer:
 *
 * <pre>
 *   compute-sanitizer --tool memcheck  java -cp ... io.sparkstencil.kernels.program.ProgramSanitizerTarget
 *   compute-sanitizer --tool racecheck java -cp ... io.sparkstencil.kernels.program.ProgramSanitizerTarget 5
 * </pre>
 *
 * A number says to run only every so many of the cases. Ends with 1 if a result is wrong.
 */
final class ProgramSanitizerTarget {
  private ProgramSanitizerTarget() {}

  /** Runs the set. */
  public static void main(String[] args) {
    int every = args.length > 0 ? Integer.parseInt(args[0]) : 1;
    int seen = 0;
    int checked = 0;
    List<String> wrong = new ArrayList<>();
    try (GpuPrograms fused = ProgramChecks.open(Map.of(), ProgramChecks.ALWAYS);
        GpuPrograms small =
            ProgramChecks.open(
                Map.of("spark.stencil.gpu.deviceBytes", "1500000"), FusedSource.ESTIMATED)) {
      for (String text : ProgramChecks.PROGRAMS) {
        for (String boundary : ProgramChecks.BOUNDARIES) {
          for (Extent extent : ProgramChecks.extents(ProgramText.parse(text).dimensions(), 1)) {
            if (seen++ % every == 0) {
              ElementType type = seen % 2 == 0 ? ElementType.F32 : ElementType.F64;
              wrong.addAll(
                  ProgramChecks.check(fused, text, boundary, Accuracy.FMA, type, extent, 13));
              wrong.addAll(
                  ProgramChecks.check(small, text, "reflect", Accuracy.EXACT, type, extent, 3));
              checked++;
            }
          }
        }
      }
    }
    wrong.forEach(System.out::println);
    System.out.printf("%d cases, %d wrong%n", checked, wrong.size());
    System.exit(wrong.isEmpty() ? 0 : 1);
  }
}
