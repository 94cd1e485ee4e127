/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.lines;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.OperationCost;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the shapes of {@link LineStream}s by a count of instructions and bytes, among those whose
 * cells fit the registers. Measured on an H200, 2^28 cells, {@code fma}, in G cells and steps per
 * second:
 *
 * <pre>
 *   3 points, F32: 8661 (T 32, C 32), 8153 (T 24), 6851 (T 16)
 *   3 points, F64: 4500 (T 32, C 32), 4470 (T 32, C 16), 4365 (T 24, C 32)
 *   5 points, F32: 5199 (T 16, C 32), 4650 (T 12)
 *   9 points, F32: 2811 (T 8, C 32)
 * </pre>
 */
public final class LineStreams {
  private static final int[] STEPS = {32, 24, 16, 12, 8, 6, 4, 2};
  private static final int WARPS = 4;

  /** Registers of a lane, and those that hold addresses, counters and intermediate results. */
  private static final int REGISTERS = 224;

  private static final int OTHER_REGISTERS = 40;

  /** Instructions of a lane without a loop: beyond, fetching them takes longer than computing. */
  private static final int STRAIGHT_INSTRUCTIONS = 4096;

  /** Turns of a scheduler that reading and writing a chunk take. */
  private static final int CHUNK_TURNS = 24;

  private LineStreams() {}

  /** Returns kernels for a program, the fastest first. */
  public static List<FusedKernel> fastestFirst(ProgramTraits traits, ElementType type) {
    Cancellation cancellation = Cancellation.ofThread(); // wide programs take a while
    int chunk = LineStream.CHUNK_BYTES / type.bytes();
    List<LineStream> fitting = new ArrayList<>();
    for (int steps : STEPS) {
      for (int cells = 2 * chunk; cells <= 32; cells *= 2) {
        cancellation.check();
        LineStream kernel = new LineStream(traits, type, new LineStream.Shape(steps, cells, WARPS));
        int instructions = traits.operations() * cells * steps;
        boolean fits =
            registers(kernel) <= REGISTERS
                && (kernel.moves() || instructions <= STRAIGHT_INSTRUCTIONS);
        if (fits && kernel.validCells() > 0) {
          fitting.add(kernel);
        }
      }
    }
    fitting.sort(Comparator.comparing(LineStreams::turns));
    return List.copyOf(fitting);
  }

  /** Returns an estimate of the registers of a lane. */
  static int registers(LineStream kernel) {
    int words = kernel.type().bytes() / Float.BYTES;
    int variables = 0;
    int fringe = 0;
    for (int level = 0; level < kernel.levels().count(); level++) {
      variables = Math.max(variables, kernel.levels().live(level).size());
      int stage = kernel.levels().stageIndex(level);
      fringe = Math.max(fringe, kernel.levels().low(stage, 0) + kernel.levels().high(stage, 0));
    }
    int parameters = kernel.traits().program().parameters().size() * kernel.steps();
    return words * (variables * (kernel.shape().cells() + 2 * fringe) + parameters)
        + OTHER_REGISTERS;
  }

  /** Returns an estimate of the turns of a scheduler for a step of 32 cells. */
  static double turns(LineStream kernel) {
    int cells = kernel.shape().cells();
    int bytes = kernel.type().bytes();
    int words = bytes / Float.BYTES;
    double exchanges = 0;
    for (int level = 0; level < kernel.levels().count(); level++) {
      int stage = kernel.levels().stageIndex(level);
      int reach = kernel.levels().low(stage, 0) + kernel.levels().high(stage, 0);
      exchanges += kernel.levels().live(level).size() * reach * words;
    }
    int fields = kernel.inputs().size() + kernel.outputs().size();
    int chunks = fields * cells * bytes / LineStream.CHUNK_BYTES;
    double operations =
        (double) OperationCost.ofStep(kernel.traits(), kernel.type()) * cells * kernel.steps();
    double valid = (double) kernel.validCells() / kernel.tileCells();
    double results = valid * cells * kernel.steps();
    double computes = (operations + exchanges + chunks * CHUNK_TURNS) / results;
    double copied = kernel.inputs().size() / valid + kernel.outputs().size();
    double copies = copied * bytes * 32 * OperationCost.TURNS_PER_BYTE / kernel.steps();
    return Math.max(computes, copies) + Math.min(computes, copies) / 4;
  }
}
