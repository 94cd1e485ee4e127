/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A program that is measured, with its accuracy, type and extent.
 *
 * @param pattern what is computed
 */
record MeasuredProgram(Pattern pattern, Accuracy accuracy, ElementType type, Extent extent) {
  private static final int PLANE = 16_384;
  private static final Extent LINE = Extent.of(1 << 28);
  private static final Extent SQUARE = Extent.of(PLANE, PLANE);
  private static final Extent LARGE_SQUARE = Extent.of(2 * PLANE, 2 * PLANE);
  private static final Extent BOX = Extent.of(1024, 1024, 1024);
  private static final Extent CUBE = Extent.of(1000, 1000, 1000);

  /** What is computed; texts have {@code %s} for each axis where they use coordinates. */
  enum Pattern {
    /** Cells beside a cell and itself on a line. */
    THREE(LINE, "u' = " + box(1, 1)),
    /** Two cells on either side on a line. */
    FIVE_ON_A_LINE(LINE, "u' = " + star(1, 2)),
    /** The cell and its four neighbours in a plane. */
    FIVE(SQUARE, "u' = " + star(2, 1)),
    /** The cell and its eight neighbours in a plane. */
    NINE(SQUARE, "u' = " + box(2, 1)),
    /** Three cells on each side along both axes. */
    THIRTEEN(SQUARE, "u' = " + star(2, 3)),
    /** Two cells on each side in a plane, with their corners. */
    TWENTY_FIVE(SQUARE, "u' = " + box(2, 2)),
    /** Three cells on each side in a plane, with their corners. */
    FORTY_NINE(SQUARE, "u' = " + box(2, 3)),
    /** Four cells on each side in a plane, with their corners. */
    EIGHTY_ONE(SQUARE, "u' = " + box(2, 4)),
    /** The reaction and diffusion of two substances, by Gray and Scott. */
    GRAY_SCOTT(
        SQUARE,
        "u' = u + (0.16*laplacian(u, 2) - u*v*v + 0.035*(1 - u));"
            + " v' = v + (0.08*laplacian(v, 2) + u*v*v - 0.1*v)"),
    /** The cell and its six neighbours in space. */
    SEVEN(BOX, "u' = " + star(3, 1)),
    /** The cell and its 26 neighbours in space. */
    TWENTY_SEVEN(BOX, "u' = " + box(3, 1)),
    /** Acoustic waves of the eighth order in space, which a layer along all six sides absorbs. */
    WAVE(
        CUBE,
        "dx = max(max(20 - %1$s, %1$s - 979), 0); dy = max(max(20 - %2$s, %2$s - 979), 0);"
            + " dz = max(max(20 - %3$s, %3$s - 979), 0); t = 1 - 0.002*(dx + dy + dz);"
            + " u' = t*(2*u - t*p + 0.1*c[0,0,0]*laplacian(u, 8)); p' = u");

    @SuppressWarnings("ImmutableEnumChecker") // a record that copies its list
    private final Extent extent;

    private final String text;

    Pattern(Extent extent, String text) {
      this.extent = extent;
      this.text = text;
    }

    /** Returns the name in the rows of results. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Returns all cases, those first that the others can do without. */
  static List<MeasuredProgram> all() {
    List<MeasuredProgram> cases = new ArrayList<>();
    add(cases, Pattern.FIVE, Accuracy.FMA, Accuracy.EXACT);
    add(cases, Pattern.SEVEN, Accuracy.FMA);
    add(cases, Pattern.NINE, Accuracy.FMA);
    add(cases, Pattern.TWENTY_SEVEN, Accuracy.FMA);
    add(cases, Pattern.THIRTEEN, Accuracy.FMA);
    add(cases, Pattern.THREE, Accuracy.FMA);
    add(cases, Pattern.FIVE_ON_A_LINE, Accuracy.FMA);
    add(cases, Pattern.GRAY_SCOTT, Accuracy.FMA);
    cases.add(new MeasuredProgram(Pattern.WAVE, Accuracy.FMA, ElementType.F32, CUBE));
    List.copyOf(cases).stream()
        .filter(what -> what.extent.equals(SQUARE) && what.pattern != Pattern.GRAY_SCOTT)
        .map(what -> what.on(LARGE_SQUARE))
        .forEach(cases::add);
    add(cases, Pattern.SEVEN, Accuracy.EXACT);
    add(cases, Pattern.THREE, Accuracy.EXACT);
    add(cases, Pattern.NINE, Accuracy.EXACT);
    add(cases, Pattern.THIRTEEN, Accuracy.EXACT);
    add(cases, Pattern.GRAY_SCOTT, Accuracy.EXACT);
    add(cases, Pattern.TWENTY_FIVE, Accuracy.FMA);
    cases.add(new MeasuredProgram(Pattern.WAVE, Accuracy.EXACT, ElementType.F32, CUBE));
    add(cases, Pattern.TWENTY_SEVEN, Accuracy.EXACT);
    cases.add(new MeasuredProgram(Pattern.WAVE, Accuracy.FMA, ElementType.F64, CUBE));
    cases.add(new MeasuredProgram(Pattern.FORTY_NINE, Accuracy.FMA, ElementType.F64, SQUARE));
    add(cases, Pattern.EIGHTY_ONE, Accuracy.FMA);
    return cases;
  }

  private static void add(List<MeasuredProgram> cases, Pattern pattern, Accuracy... accuracies) {
    for (Accuracy accuracy : accuracies) {
      for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
        cases.add(new MeasuredProgram(pattern, accuracy, type, pattern.extent));
      }
    }
  }

  /** Returns this on another field. */
  MeasuredProgram on(Extent other) {
    return new MeasuredProgram(pattern, accuracy, type, other);
  }

  /** Returns the sizes of the field as text. */
  String sizes() {
    return String.join(" x ", extent.sizes().stream().map(String::valueOf).toList());
  }

  /** Returns the name of its rows. */
  String name() {
    String field = extent.equals(pattern.extent) ? "" : "/" + sizes();
    return "program/%s/%s/%s%s"
        .formatted(pattern.label(), lower(accuracy.name()), lower(type.name()), field);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Returns the program. */
  StencilProgram program() {
    return programAt(Collections.nCopies(extent.dimensions(), 0));
  }

  /** Returns the program for arrays that begin at a position of the field. */
  StencilProgram programAt(List<Integer> first) {
    List<String> axes = StencilProgram.axes(extent.dimensions());
    Object[] positions = new Object[axes.size()];
    for (int axis = 0; axis < positions.length; axis++) {
      positions[axis] =
          first.get(axis) == 0
              ? axes.get(axis)
              : "(%s + %d)".formatted(axes.get(axis), first.get(axis));
    }
    return ProgramText.parse(pattern.text.formatted(positions), extent.dimensions())
        .withAccuracy(accuracy)
        .withBoundary(Boundary.parse("reflect"));
  }

  /** Returns the operations per cell and step; a fused one counts once. */
  int operations() {
    return ProgramTraits.of(program()).operations();
  }

  /** Returns the bytes that a single step reads and writes per cell, at least. */
  int bytes() {
    StencilProgram program = program();
    // the old cells of waves are written over those that are older still: a copy that costs nothing
    int written = pattern == Pattern.WAVE ? 1 : program.updates().size();
    return (program.fields().size() + written) * type.bytes();
  }

  /** Returns a weighted sum of the cells along all axes, each weight another number. */
  private static String star(int dimensions, int radius) {
    return sum(dimensions, radius, true);
  }

  /** Returns a weighted sum of all cells of a box, each weight another number. */
  private static String box(int dimensions, int radius) {
    return sum(dimensions, radius, false);
  }

  private static String sum(int dimensions, int radius, boolean star) {
    int width = 2 * radius + 1;
    int cells = (int) Math.pow(width, dimensions);
    List<String> offsets = new ArrayList<>();
    for (int cell = 0; cell < cells; cell++) {
      List<String> offset = new ArrayList<>();
      int left = cell;
      int off = 0;
      for (int axis = 0; axis < dimensions; axis++) {
        int distance = left % width - radius;
        off += distance == 0 ? 0 : 1;
        offset.add(0, Integer.toString(distance));
        left /= width;
      }
      if (!star || off <= 1) {
        offsets.add(String.join(",", offset));
      }
    }
    List<String> terms = new ArrayList<>();
    for (int i = 0; i < offsets.size(); i++) {
      // weights from 0.5 to 1.5 times the mean, all different, whose sum is hardly below 1: cells
      // that fade to nothing would take less power
      double weight = (0.5 + (i + 0.5) / offsets.size()) / offsets.size() * 0.9999;
      terms.add("%.6f*u[%s]".formatted(weight, offsets.get(i)));
    }
    return String.join(" + ", terms);
  }
}
