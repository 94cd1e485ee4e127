/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.program.Instruction.Opcode;
import io.sparkstencil.cpu.program.LinearNodes.Linear;
import io.sparkstencil.cpu.program.ProgramCode.Scalar;
import io.sparkstencil.program.NanFreeProgram;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a program into instructions. A chain of additions becomes one sum of weighted terms: cells
 * are read where they are, and few numbers pass through memory. Temporaries are used again after
 * their last use.
 */
final class ProgramCompiler {
  private final ProgramTraits traits;
  private final LinearNodes linear;
  private final List<Node> nodes;
  private final boolean[] numbers; // which nodes are never NaN
  private final Map<Scalar, Integer> scalars = new LinkedHashMap<>();
  private int temporaries;

  // of the stage that is being compiled
  private List<Instruction> instructions;
  private Map<Integer, Integer> temporaryOf;
  private BitSet temporariesInUse;
  private int[] uses;
  private int[] usesLeft;

  private ProgramCompiler(ProgramTraits traits, boolean nanFree) {
    this.traits = traits;
    nodes = traits.program().nodes();
    numbers = nanFree ? NanFreeProgram.numbers(nodes) : new boolean[nodes.size()];
    linear = new LinearNodes(nodes);
  }

  static ProgramCode compile(StencilProgram program) {
    return new ProgramCompiler(ProgramTraits.of(program), false).code();
  }

  /** Compiles a step over cells of which none is NaN. */
  static ProgramCode compileNanFree(StencilProgram program) {
    return new ProgramCompiler(ProgramTraits.of(program).nanFree(), true).code();
  }

  private ProgramCode code() {
    List<List<Instruction>> stages = traits.stages().stream().map(this::stage).toList();
    return new ProgramCode(traits, stages, List.copyOf(scalars.keySet()), temporaries);
  }

  private List<Instruction> stage(Stage stage) {
    instructions = new ArrayList<>();
    temporaryOf = new HashMap<>();
    temporariesInUse = new BitSet();
    uses = new int[nodes.size()];
    Map<Integer, Integer> fieldOf = new HashMap<>();
    stage.order().forEach(node -> nodes.get(node).inputs().forEach(input -> uses[input]++));
    for (Update update : stage.updates()) {
      uses[update.node()]++;
      fieldOf.put(update.node(), update.field());
    }
    usesLeft = uses.clone();
    boolean[] absorbed = absorbed(stage);
    for (int node : stage.order()) {
      if (nodes.get(node) instanceof Node.Apply apply
          && !linear.isUniform(node)
          && !absorbed[node]) {
        compute(node, apply, uses[node] == 1 ? fieldOf.getOrDefault(node, -1) : -1);
      }
    }
    for (Update update : stage.updates()) {
      boolean written =
          nodes.get(update.node()) instanceof Node.Apply
              && !linear.isUniform(update.node())
              && uses[update.node()] == 1;
      if (!written) {
        Sum copy = new Sum();
        copy.add(linear.alone(update.node()));
        copy.emit(update.field(), true);
      }
    }
    return List.copyOf(instructions);
  }

  /** Finds the nodes that are computed as part of the sum that uses them. */
  private boolean[] absorbed(Stage stage) {
    boolean[] absorbed = new boolean[nodes.size()];
    for (int node : stage.order()) {
      Linear sum = linear.of(node);
      if (sum != null) {
        if (sum.head() >= 0 && isLink(sum.head())) {
          absorbed[sum.head()] = true;
        }
        if (isScaled(sum)) {
          absorbed[sum.term()] = true;
        }
      }
    }
    for (int node : stage.order()) {
      Linear sum = absorbed[node] ? null : linear.of(node);
      if (sum != null && isProductPlus(sum)) {
        absorbed[sum.head()] = true;
      }
    }
    return absorbed;
  }

  private boolean isLink(int node) {
    return uses[node] == 1 && linear.of(node) != null;
  }

  private boolean isScaled(Linear sum) {
    return uses[sum.term()] == 1 && linear.scaled(sum) != null;
  }

  /** Returns whether a sum adds a node to a product of two others, which nobody else needs. */
  private boolean isProductPlus(Linear sum) {
    return sum.head() >= 0
        && sum.weight().equals(new Scalar(Scalar.UNIT, false))
        && !isScaled(sum)
        && uses[sum.head()] == 1
        && !linear.isUniform(sum.head())
        && linear.of(sum.head()) == null
        && nodes.get(sum.head()) instanceof Node.Apply product
        && product.operation() == Operation.MULTIPLY;
  }

  private void compute(int node, Node.Apply apply, int field) {
    Linear last = linear.of(node);
    if (last == null) {
      emit(opcode(apply), apply.operands(), node, field);
      return;
    }
    if (isProductPlus(last)) {
      List<Integer> factors = nodes.get(last.head()).inputs();
      List<Integer> operands = List.of(factors.get(0), factors.get(1), last.term());
      emit(Opcode.PRODUCT_PLUS, operands, node, field);
      return;
    }
    Deque<Linear> chain = new ArrayDeque<>();
    chain.push(last);
    while (chain.peek().head() >= 0 && isLink(chain.peek().head())) {
      chain.push(linear.of(chain.peek().head()));
    }
    Sum sum = new Sum();
    if (chain.peek().head() >= 0) {
      sum.add(linear.alone(chain.peek().head()));
    }
    for (Linear link : chain) {
      Linear term = link;
      while (isScaled(term)) {
        term = linear.scaled(term);
      }
      sum.add(term);
    }
    sum.emit(target(node, field), field >= 0);
  }

  private void emit(Opcode kind, List<Integer> operands, int node, int field) {
    List<Source> sources = operands.stream().map(this::source).toList();
    operands.forEach(this::release);
    int target = target(node, field);
    instructions.add(new Instruction(kind, sources, List.of(), target, field >= 0));
  }

  private Opcode opcode(Node.Apply apply) {
    boolean ofNumbers = apply.operands().stream().allMatch(operand -> numbers[operand]);
    return switch (apply.operation()) {
      case MIN -> ofNumbers ? Opcode.MIN_OF_NUMBERS : Opcode.MIN;
      case MAX -> ofNumbers ? Opcode.MAX_OF_NUMBERS : Opcode.MAX;
      default -> Opcode.of(apply.operation());
    };
  }

  private Source source(int index) {
    Node node = nodes.get(index);
    if (node instanceof Node.Tap tap) {
      return new Source.Cells(tap.field(), tap.updated(), tap.offset());
    }
    if (node instanceof Node.Coordinate coordinate) {
      return new Source.Positions(coordinate.axis());
    }
    return linear.isUniform(index)
        ? new Source.Broadcast(scalar(new Scalar(index, false)))
        : new Source.Temporary(temporaryOf.get(index));
  }

  private int scalar(Scalar scalar) {
    Integer present = scalars.putIfAbsent(scalar, scalars.size());
    return present == null ? scalars.size() - 1 : present;
  }

  /** Counts a use of a node; after the last one its temporary is free. */
  private void release(int node) {
    if (--usesLeft[node] == 0 && temporaryOf.containsKey(node)) {
      temporariesInUse.clear(temporaryOf.get(node));
    }
  }

  private int temporary() {
    int free = temporariesInUse.nextClearBit(0);
    temporariesInUse.set(free);
    temporaries = Math.max(temporaries, free + 1);
    return free;
  }

  /** Returns the field that a node is the new value of, or else a temporary. */
  private int target(int node, int field) {
    if (field >= 0) {
      return field;
    }
    int target = temporary();
    temporaryOf.put(node, target);
    return target;
  }

  /** The terms of a sum, in order. */
  private final class Sum {
    private List<Source> sources = new ArrayList<>();
    private List<Integer> weights = new ArrayList<>();
    private boolean fuses;
    private boolean rounds;

    /** Adds a term; begins another instruction where one cannot hold it. */
    void add(Linear term) {
      boolean product = !term.weight().isUnit() && !sources.isEmpty();
      if (sources.size() == Instruction.MAX_TERMS || (product && (term.fused() ? rounds : fuses))) {
        int subtotal = temporary();
        emit(subtotal, false);
        sources = new ArrayList<>(List.of(new Source.Temporary(subtotal)));
        weights = new ArrayList<>(List.of(scalar(new Scalar(Scalar.UNIT, false))));
        fuses = false;
        rounds = false;
        temporariesInUse.clear(subtotal);
      }
      fuses |= product && term.fused();
      rounds |= product && !term.fused();
      sources.add(source(term.term()));
      weights.add(scalar(term.weight()));
      release(term.term());
    }

    void emit(int target, boolean toField) {
      instructions.add(
          new Instruction(
              fuses ? Opcode.FUSED_SUM : Opcode.SUM, sources, weights, target, toField));
    }
  }
}
