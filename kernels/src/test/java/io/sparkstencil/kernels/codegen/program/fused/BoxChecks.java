/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.program.BoxText;
import io.sparkstencil.kernels.codegen.program.CountedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.boxes.BoxStreams;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Boxes on tensor cores against the scalar reference, bit by bit. */
final class BoxChecks {
  private static final int MULTIPROCESSORS = 2;

  private BoxChecks() {}

  /** Weights that make every kind of zero, and those that make -0.0 of 0.0. */
  private enum Signs {
    BOTH,
    NEGATIVE;

    String weight(int cell) {
      boolean negative = this == NEGATIVE || cell % 5 == 2;
      return (negative ? "-0.00" : "0.00") + (100 + cell);
    }
  }

  /** A box and what its cells are. */
  record Case(int radius, Signs signs, FusedCheck.Numbers numbers) {
    private StencilProgram program() {
      IntFunction<String> weight = signs::weight;
      return ProgramText.parse(BoxText.ofRadius(radius, weight))
          .withBoundary(Boundary.constant(7.5))
          .withAccuracy(Accuracy.FMA);
    }
  }

  static Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (int radius : new int[] {4, 5}) {
      for (FusedCheck.Numbers numbers : FusedCheck.Numbers.values()) {
        cases.add(new Case(radius, Signs.BOTH, numbers));
      }
    }
    cases.add(new Case(4, Signs.NEGATIVE, FusedCheck.Numbers.ZEROS));
    return cases.stream();
  }

  /** Returns what is wrong with the results, in which tiles and segments overlap. */
  static List<String> faults(PrimaryContext context, Case what) {
    StencilProgram program = what.program();
    List<Integer> sizes = List.of(83, 2 * what.radius() + 256 + 41);
    List<CountedKernel> kernels =
        BoxStreams.of(
            ProgramTraits.of(program),
            ElementType.F64,
            FusedCheck.layout(ElementType.F64, sizes),
            DeviceTraits.H200);
    FusedKernel kernel = kernels.get(0).kernel();
    FusedCase named = new FusedCase(what.toString(), program, ElementType.F64);
    return new FusedCheck(context, MULTIPROCESSORS, what.numbers())
        .fault(named, kernel, sizes).stream().toList();
  }
}
