/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes a block through the steps of a superstep. A block that has a source in its extended box, or
 * a receiver among its cells, takes its steps one by one, with injection and sampling between them;
 * any other takes them at once. Both give the same bits.
 */
public final class BlockSteps {
  /** Runs a program on arrays. */
  @FunctionalInterface
  public interface Runner {
    /** Runs a number of steps and replaces the cells of the updated fields. */
    void run(ProgramArrays arrays, ParameterValues parameters, int steps);
  }

  private record Injection(int field, List<Integer> indices, double[] series) {}

  private record Sampling(int receiver, int field, int index) {}

  private final ParameterValues parameters;
  private final List<Injection> injections = new ArrayList<>();
  private final List<Sampling> samplings = new ArrayList<>();

  /**
   * Prepares the steps of a block.
   *
   * @param parameters by the steps of the grid
   * @param sources those of the whole grid, checked
   * @param receivers those of the whole grid, checked
   */
  public BlockSteps(
      StencilProgram program,
      ExtendedBlock place,
      ParameterValues parameters,
      List<PointSource> sources,
      List<Receiver> receivers) {
    this.parameters = parameters;
    for (PointSource source : sources) {
      List<Integer> indices = place.indices(position(source.cell()));
      if (!indices.isEmpty()) {
        injections.add(new Injection(program.field(source.field()), indices, source.series()));
      }
    }
    for (int i = 0; i < receivers.size(); i++) {
      List<Long> position = position(receivers.get(i).cell());
      if (place.own().contains(Box.between(position, position.stream().map(p -> p + 1).toList()))) {
        int field = program.field(receivers.get(i).field());
        samplings.add(new Sampling(i, field, place.extended().index(position)));
      }
    }
  }

  private static List<Long> position(long[] cell) {
    return Arrays.stream(cell).boxed().toList();
  }

  /**
   * Samples of one receiver.
   *
   * @param receiver its index
   * @param values one per step
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Samples(int receiver, double[] values) implements java.io.Serializable {}

  /**
   * Takes some steps.
   *
   * @param first the steps that the grid has taken before
   * @return the samples of the receivers in the block
   */
  public List<Samples> run(BlockArrays arrays, long first, int steps, Runner runner) {
    ProgramArrays cells = arrays.forProgram();
    if (injections.isEmpty() && samplings.isEmpty()) {
      runner.run(cells, from(first), steps);
      return List.of();
    }
    List<Samples> samples = new ArrayList<>();
    samplings.forEach(each -> samples.add(new Samples(each.receiver(), new double[steps])));
    for (int step = 0; step < steps; step++) {
      runner.run(cells, from(first + step), 1);
      for (Injection injection : injections) {
        if (first + step < injection.series().length) {
          inject(cells.arrays().get(injection.field()), injection, first + step);
        }
      }
      for (int i = 0; i < samplings.size(); i++) {
        Sampling at = samplings.get(i);
        samples.get(i).values()[step] = value(cells.arrays().get(at.field()), at.index());
      }
    }
    return samples;
  }

  private ParameterValues from(long first) {
    return (parameter, step) -> parameters.value(parameter, first + step);
  }

  private static void inject(Object array, Injection injection, long step) {
    double value = injection.series()[(int) step];
    for (int index : injection.indices()) {
      if (array instanceof float[] floats) {
        floats[index] += (float) value;
      } else {
        ((double[]) array)[index] += value;
      }
    }
  }

  private static double value(Object array, int index) {
    return array instanceof float[] floats ? floats[index] : ((double[]) array)[index];
  }
}
