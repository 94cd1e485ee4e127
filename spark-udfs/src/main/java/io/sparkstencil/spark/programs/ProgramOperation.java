/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.programs;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.Marks;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A program as a function of one array: the program reads the old cells of one field only, which is
 * the array, and the new cells of that field are the result. Its other fields hold what one stage
 * leaves to the next.
 */
public final class ProgramOperation implements Serializable {
  private static final long serialVersionUID = 1L;

  private final StencilProgram program;
  private final int field;
  private final int steps;
  private final Map<String, Double> parameters;
  private transient CpuProgram compiled;
  private transient StencilProgram marks;
  private transient CpuProgram compiledMarks;

  /**
   * Creates the operation.
   *
   * @param program the program
   * @param steps how many times it is applied, at least 1
   * @param parameters a value for each parameter
   * @throws InvalidStencilException if the program is no function of one array, or a value is
   *     missing
   */
  public ProgramOperation(StencilProgram program, int steps, Map<String, Double> parameters) {
    if (steps < 1) {
      throw new InvalidStencilException("%d steps; use at least 1".formatted(steps));
    }
    this.program = program;
    this.steps = steps;
    this.parameters = Map.copyOf(parameters);
    field = onlyField(program);
    ParameterValues.of(program, parameters);
  }

  private static int onlyField(StencilProgram program) {
    TreeSet<Integer> read = new TreeSet<>();
    for (Node node : program.nodes()) {
      if (node instanceof Node.Tap tap && !tap.updated()) {
        read.add(tap.field());
      }
    }
    if (read.size() != 1 || !program.updates(read.first())) {
      List<String> names = read.stream().map(program.fields()::get).toList();
      throw new InvalidStencilException(
          read.size() == 1
              ? "the program reads %s and never updates it; write %s' = ..."
                  .formatted(names.get(0), names.get(0))
              : "the program reads the fields %s, but there is one array; read one field"
                  .formatted(names));
    }
    return read.first();
  }

  /** Returns the program. */
  public StencilProgram program() {
    return program;
  }

  /** Returns how many times the program is applied. */
  public int steps() {
    return steps;
  }

  /**
   * Returns the cells after all steps.
   *
   * @param type the type of the cells
   * @param extent how many there are along each axis
   * @param cells a {@code float[]} or {@code double[]}, which becomes the result
   */
  public Object run(ElementType type, Extent extent, Object cells) {
    if (compiled == null) {
      compiled = CpuProgram.compile(program, Map.of());
    }
    return run(compiled, program, type, extent, cells, ParameterValues.of(program, parameters));
  }

  /**
   * Returns which results depend on missing cells: above 0 where they do.
   *
   * @param missing 1 for each missing cell, 0 for the others; becomes the result
   */
  public float[] missing(Extent extent, float[] missing) {
    if (marks == null) {
      marks = Marks.of(program);
      compiledMarks = CpuProgram.compile(marks, Map.of());
    }
    return (float[])
        run(compiledMarks, marks, ElementType.F32, extent, missing, ParameterValues.NONE);
  }

  private Object run(
      CpuProgram running,
      StencilProgram fields,
      ElementType type,
      Extent extent,
      Object cells,
      ParameterValues values) {
    String name = program.fields().get(field);
    List<Object> arrays = new ArrayList<>();
    for (String each : fields.fields()) {
      arrays.add(each.equals(name) ? cells : type.newArray(Array.getLength(cells)));
    }
    running.run(new ProgramArrays(type, extent, arrays), values, steps, 1);
    return cells;
  }
}
