/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Makes a failing case smaller for as long as it fails: fewer steps, cells and updates, operands in
 * the place of operations, distances of 0, the default boundary.
 */
public final class ProgramShrinker {
  private static final int MOST_RUNS = 5000;

  private final Predicate<ProgramCase> fails;
  private ProgramCase smallest;
  private int runs;

  private ProgramShrinker(ProgramCase failing, Predicate<ProgramCase> fails) {
    smallest = failing;
    this.fails = fails;
  }

  /**
   * Returns a case that fails, too, and is as small as single changes make it.
   *
   * @param fails whether a case fails; an exception ends the search
   */
  public static ProgramCase shrink(ProgramCase failing, Predicate<ProgramCase> fails) {
    ProgramShrinker shrinker = new ProgramShrinker(failing, fails);
    while (shrinker.findSmaller()) {
      // the next round starts from the smaller case
    }
    return shrinker.smallest;
  }

  private boolean findSmaller() {
    Optional<ProgramCase> smaller =
        candidates(smallest)
            .filter(candidate -> size(candidate) < size(smallest))
            .takeWhile(candidate -> runs++ < MOST_RUNS)
            .filter(fails)
            .findFirst();
    smaller.ifPresent(found -> smallest = found);
    return smaller.isPresent();
  }

  /** Returns a number that falls with every change, so that the search ends. */
  private static long size(ProgramCase test) {
    StencilProgram program = test.program();
    long size = test.extent().cells() + test.steps() * 10L + program.updates().size() * 1000L;
    size += test.kind() == CellMix.ORDINARY ? 0 : 1;
    size += program.accuracy() == Accuracy.EXACT ? 0 : 1;
    for (FieldBoundary boundary : program.boundaries()) {
      size += isDefault(boundary) ? 0 : 1;
    }
    for (Node node : program.nodes()) {
      if (node instanceof Node.Tap tap) {
        size += 10 + tap.offset().stream().mapToInt(Math::abs).sum();
      } else if (node instanceof Node.Constant constant) {
        size += constant.value() == 1 ? 1 : 2;
      } else {
        size += node instanceof Node.Apply ? 100 : 5;
      }
    }
    return size;
  }

  private static boolean isDefault(FieldBoundary boundary) {
    Boundary usual = StencilProgram.DEFAULT_BOUNDARY;
    return boundary.equals(FieldBoundary.uniform(usual, boundary.low().size()));
  }

  private static Stream<ProgramCase> candidates(ProgramCase test) {
    Stream<ProgramCase> programs =
        programs(test.program())
            .map(
                program ->
                    new ProgramCase(
                        program,
                        test.type(),
                        test.extent(),
                        test.steps(),
                        test.kind(),
                        test.seed()));
    return Stream.concat(programs, data(test));
  }

  private static Stream<ProgramCase> data(ProgramCase test) {
    Stream<ProgramCase> shorter =
        Stream.of(1, test.steps() / 2, test.steps() - 1)
            .filter(steps -> steps > 0)
            .map(steps -> with(test, test.extent(), steps, test.kind()));
    List<Extent> extents = new ArrayList<>();
    for (int axis = 0; axis < test.extent().dimensions(); axis++) {
      int size = test.extent().size(axis);
      for (int fewer : new int[] {1, size / 2, size - 1}) {
        if (fewer > 0) {
          List<Integer> sizes = new ArrayList<>(test.extent().sizes());
          sizes.set(axis, fewer);
          extents.add(new Extent(sizes));
        }
      }
    }
    Stream<ProgramCase> narrower =
        extents.stream().map(extent -> with(test, extent, test.steps(), test.kind()));
    ProgramCase ordinary = with(test, test.extent(), test.steps(), CellMix.ORDINARY);
    return Stream.of(shorter, narrower, Stream.of(ordinary)).flatMap(each -> each);
  }

  private static ProgramCase with(ProgramCase test, Extent extent, int steps, CellMix kind) {
    return new ProgramCase(test.program(), test.type(), extent, steps, kind, test.seed());
  }

  /** Returns programs with one change, those that leave out most first. */
  static Stream<StencilProgram> programs(StencilProgram program) {
    Stream.Builder<Optional<StencilProgram>> changed = Stream.builder();
    for (int update = program.updates().size() - 1; update >= 0; update--) {
      changed.add(ProgramEdit.drop(program, update));
    }
    for (int i = program.nodes().size() - 1; i >= 0; i--) {
      int index = i;
      Node node = program.nodes().get(i);
      for (int operand : node.inputs()) {
        changed.add(ProgramEdit.replace(program, i, written -> written.get(operand)));
      }
      if (!(node instanceof Node.Apply apply && apply.operation().isCondition())) {
        changed.add(ProgramEdit.replace(program, i, written -> Expression.constant(1)));
      }
      if (node instanceof Node.Tap tap) {
        nearer(program, tap)
            .forEach(cell -> changed.add(ProgramEdit.replace(program, index, written -> cell)));
      }
    }
    changed.add(Optional.of(program.withAccuracy(Accuracy.EXACT)));
    for (String field : program.fields()) {
      FieldBoundary usual =
          FieldBoundary.uniform(StencilProgram.DEFAULT_BOUNDARY, program.dimensions());
      changed.add(Optional.of(program.withBoundary(field, usual)));
    }
    return changed.build().flatMap(Optional::stream);
  }

  /** Returns the cell itself, and cells at no distance or half of it along one axis. */
  private static Stream<Expression> nearer(StencilProgram program, Node.Tap tap) {
    List<List<Integer>> offsets = new ArrayList<>();
    offsets.add(Collections.nCopies(program.dimensions(), 0));
    for (int axis = 0; axis < program.dimensions(); axis++) {
      int distance = tap.offset().get(axis);
      for (int nearer : new int[] {0, distance / 2, distance - Integer.signum(distance)}) {
        List<Integer> offset = new ArrayList<>(tap.offset());
        offset.set(axis, nearer);
        offsets.add(offset);
      }
    }
    return offsets.stream()
        .map(
            offset -> new Expression.Tap(program.fields().get(tap.field()), tap.updated(), offset));
  }
}
