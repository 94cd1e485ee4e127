/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.program.ParameterValues;
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
  /** Takes steps of fields, wherever they are. */
  @FunctionalInterface
  public interface Runner {
    /** Takes a number of steps; they are done when this returns. */
    void run(BlockFields fields, ParameterValues parameters, int steps);
  }

  private final ParameterValues parameters;
  private final List<FieldCell> injected = new ArrayList<>();
  private final List<double[]> series = new ArrayList<>(); // one for each injected cell
  private final List<FieldCell> sampled = new ArrayList<>();
  private final List<Integer> samplers = new ArrayList<>(); // the receiver of each sampled cell

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
      int field = program.field(source.field());
      for (int index : place.indices(position(source.cell()))) {
        injected.add(new FieldCell(field, index));
        series.add(source.series());
      }
    }
    for (int i = 0; i < receivers.size(); i++) {
      List<Long> position = position(receivers.get(i).cell());
      if (place.own().contains(Box.between(position, position.stream().map(p -> p + 1).toList()))) {
        int field = program.field(receivers.get(i).field());
        sampled.add(new FieldCell(field, place.extended().index(position)));
        samplers.add(i);
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
  public List<Samples> run(BlockFields fields, long first, int steps, Runner runner) {
    if (injected.isEmpty() && sampled.isEmpty()) {
      runner.run(fields, from(first), steps);
      return List.of();
    }
    List<Samples> samples = new ArrayList<>();
    samplers.forEach(receiver -> samples.add(new Samples(receiver, new double[steps])));
    for (int step = 0; step < steps; step++) {
      runner.run(fields, from(first + step), 1);
      inject(fields, first + step);
      if (!sampled.isEmpty()) {
        double[] values = fields.values(sampled);
        for (int i = 0; i < values.length; i++) {
          samples.get(i).values()[step] = values[i];
        }
      }
    }
    return samples;
  }

  private ParameterValues from(long first) {
    return (parameter, step) -> parameters.value(parameter, first + step);
  }

  private void inject(BlockFields fields, long step) {
    List<FieldCell> cells = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < injected.size(); i++) {
      if (step < series.get(i).length) {
        cells.add(injected.get(i));
        values.add(series.get(i)[(int) step]);
      }
    }
    if (!cells.isEmpty()) {
      fields.add(cells, values.stream().mapToDouble(Double::doubleValue).toArray());
    }
  }
}
