/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Writes the operations of a stage for one cell, in the order of the graph. Where cells come from
 * is the caller's business. Every operation is rounded by itself, unless the graph fuses it.
 */
public final class CellBody {
  /** Where the cells of a stage are. */
  public interface Window {
    /** Returns the cell of a tap. */
    Operand cell(Node.Tap tap);

    /** Returns the position along an axis, as a cell. */
    Operand position(int axis);
  }

  private final PtxWriter k;
  private final StencilProgram program;
  private final PtxType registers;
  private final String suffix;

  /** The values that are the same for all cells of a step, by node; parameters among them. */
  private final Map<Integer, Operand> uniform;

  private final boolean[] isUniform;

  /**
   * Creates the writer.
   *
   * @param parameters one register or constant per parameter of the program
   */
  public CellBody(PtxWriter k, StencilProgram program, ElementType type, List<Operand> parameters) {
    this.k = k;
    this.program = program;
    registers = PtxCells.registers(type);
    suffix = "." + PtxCells.arithmetic(type);
    uniform = new HashMap<>();
    isUniform = new boolean[program.nodes().size()];
    for (int i = 0; i < isUniform.length; i++) {
      Node node = program.nodes().get(i);
      if (node instanceof Node.Constant constant) {
        uniform.put(i, PtxCells.literal(type, constant.value()));
      } else if (node instanceof Node.Parameter parameter) {
        uniform.put(i, parameters.get(parameter.index()));
      } else if (node instanceof Node.Apply apply
          && apply.operands().stream().allMatch(operand -> isUniform[operand])) {
        uniform.put(i, apply(apply, uniform::get));
      }
      isUniform[i] = uniform.containsKey(i);
    }
  }

  /** Writes a stage and returns the values of its updates, in their order. */
  public List<Operand> write(Stage stage, Window window) {
    Map<Integer, Operand> values = new HashMap<>(uniform);
    for (int index : stage.order()) {
      Node node = program.nodes().get(index);
      if (node instanceof Node.Tap tap) {
        values.put(index, window.cell(tap));
      } else if (node instanceof Node.Coordinate coordinate) {
        values.put(index, window.position(coordinate.axis()));
      } else if (node instanceof Node.Apply apply && !isUniform[index]) {
        values.put(index, apply(apply, values::get));
      }
    }
    return stage.updates().stream().map(update -> values.get(update.node())).toList();
  }

  /** Returns the value of a node that is the same for all cells of a step; null for others. */
  public Operand uniform(int node) {
    return uniform.get(node);
  }

  /**
   * Writes one operation and returns its value.
   *
   * @param values the values of its operands, by node
   */
  public Operand apply(Node.Apply apply, IntFunction<Operand> values) {
    Operation operation = apply.operation();
    Operand a = values.apply(apply.operands().get(0));
    Operand b = operation.arity() > 1 ? values.apply(apply.operands().get(1)) : null;
    Operand c = operation.arity() > 2 ? values.apply(apply.operands().get(2)) : null;
    return switch (operation) {
      case NEGATE -> number("neg", a);
      case ABS -> number("abs", a);
      case SQRT -> number("sqrt.rn", a);
      case ADD -> number("add.rn", a, b);
      case SUBTRACT -> number("sub.rn", a, b);
      case MULTIPLY -> number("mul.rn", a, b);
      case DIVIDE -> number("div.rn", a, b);
      case FMA -> number("fma.rn", a, b, c);
      case MIN -> ordered("setp.gtu.and", a, b, b);
      case MAX -> ordered("setp.ltu.and", a, b, a);
      case LESS -> k.test("setp.lt" + suffix, a, b);
      case LESS_OR_EQUAL -> k.test("setp.le" + suffix, a, b);
      case EQUAL -> k.test("setp.eq" + suffix, a, b);
      case NOT -> k.test("not.pred", a);
      case AND -> k.test("and.pred", a, b);
      case OR -> k.test("or.pred", a, b);
      case SELECT -> number("selp", b, c, a);
    };
  }

  private Register number(String opcode, Operand... operands) {
    return k.make(registers, opcode + suffix, (Object[]) operands);
  }

  /** Returns b where it comes before or after a in Spark's order, in which NaN is the greatest. */
  private Operand ordered(String unordered, Operand a, Operand b, Operand isNumber) {
    Register number = k.test("setp.num" + suffix, isNumber, isNumber);
    return number("selp", b, a, k.test(unordered + suffix, a, b, number));
  }
}
