/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.NearestName;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Boundary.Mode;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rules outside a program's fields as text: {@code reflect}, or one rule after another, of
 * which the later ones change the earlier ones:
 *
 * <pre>
 * nearest, y=wrap, x.low=constant:1, u=reflect, u.y=mirror, v.x.high=constant:NaN
 * </pre>
 *
 * A rule is for all fields or for one, and for all sides, for an axis, or for one of its sides. The
 * rules themselves are those of {@link Boundary#parse} that give every cell a value.
 *
 * <pre>{@code
 * StencilProgram inPipe = BoundaryText.apply(program, "nearest, y=wrap");
 * }</pre>
 */
public final class BoundaryText {
  private static final List<String> SIDES = List.of("low", "high");
  private static final int ALL = -1;

  /** Rules that are one word; those without values have a message of their own. */
  private static final List<String> RULES =
      Stream.of(Mode.values()).filter(mode -> mode != Mode.CONSTANT).map(Mode::name).toList();

  private static final List<String> NAMES =
      List.of("reflect", "mirror", "nearest", "wrap", "constant:C");

  private final StencilProgram program;
  private final String text;

  /** For each field, axis and side, the rule, and for each field and axis its place in the text. */
  private final Boundary[][][] rules;

  private final int[][] places;
  private final Set<Target> targets = new HashSet<>();

  /** What a rule is for; {@link #ALL} stands for every field, axis or side. */
  private record Target(int field, int axis, int side) {
    private boolean holds(int otherField, int otherAxis, int otherSide) {
      return (field == ALL || field == otherField)
          && (axis == ALL || axis == otherAxis)
          && (side == ALL || side == otherSide);
    }
  }

  private BoundaryText(StencilProgram program, String text) {
    this.program = program;
    this.text = text;
    places = new int[program.fields().size()][program.dimensions()];
    rules = new Boundary[places.length][program.dimensions()][SIDES.size()];
    for (int field = 0; field < rules.length; field++) {
      FieldBoundary boundary = program.boundaries().get(field);
      for (int axis = 0; axis < program.dimensions(); axis++) {
        rules[field][axis] = new Boundary[] {boundary.low().get(axis), boundary.high().get(axis)};
      }
    }
  }

  /**
   * Returns a program with the rules of a text; sides that the text does not mention keep theirs.
   *
   * @throws InvalidStencilException with the line and column if the text names no rules
   */
  public static StencilProgram apply(StencilProgram program, String text) {
    BoundaryText reader = new BoundaryText(program, requireNonNull(text, "text is null"));
    int at = 0;
    for (String rule : text.split(",", -1)) {
      reader.read(rule, at);
      at += rule.length() + 1;
    }
    return reader.changed();
  }

  /** Returns a text that gives a program with the same fields and axes the rules of this one. */
  public static String format(StencilProgram program) {
    List<FieldBoundary> boundaries = program.boundaries();
    if (boundaries.stream().distinct().count() == 1) {
      return boundaries.get(0).format(program.axes());
    }
    List<String> rules = new ArrayList<>();
    for (int field = 0; field < boundaries.size(); field++) {
      String name = program.fields().get(field);
      for (String rule : boundaries.get(field).format(program.axes()).split(", ")) {
        rules.add(name + (rule.contains("=") ? "." : "=") + rule);
      }
    }
    return String.join(", ", rules);
  }

  private void read(String rule, int start) {
    int equals = rule.indexOf('=');
    String value = rule.substring(equals + 1);
    int valueAt = start + equals + 1 + blanks(value);
    Boundary boundary;
    try {
      boundary = parse(value);
      FieldBoundary.uniform(boundary, program.dimensions());
    } catch (InvalidStencilException e) {
      throw TextPlace.problem(text, valueAt, e.getMessage());
    }
    Target target =
        equals < 0 ? new Target(ALL, ALL, ALL) : target(rule.substring(0, equals), start);
    if (!targets.add(target)) {
      throw TextPlace.problem(
          text, start + blanks(rule), "a second rule for the same sides; give one");
    }
    for (int field = 0; field < rules.length; field++) {
      for (int axis = 0; axis < program.dimensions(); axis++) {
        for (int side = 0; side < SIDES.size(); side++) {
          if (target.holds(field, axis, side)) {
            rules[field][axis][side] = boundary;
            places[field][axis] = valueAt;
          }
        }
      }
    }
  }

  /** A rule; of the names that are known, those that leave cells without a value are left out. */
  private static Boundary parse(String value) {
    String name = value.strip();
    boolean constant = name.regionMatches(true, 0, "constant:", 0, "constant:".length());
    if (!constant && RULES.stream().noneMatch(name::equalsIgnoreCase)) {
      throw new InvalidStencilException(
          "unknown boundary \"%s\"%s known boundaries are reflect, mirror, nearest, wrap and constant:C"
              .formatted(value, NearestName.question(name, NAMES)));
    }
    return Boundary.parse(value);
  }

  private static int blanks(String part) {
    return part.length() - part.stripLeading().length();
  }

  /** Reads {@code u}, {@code u.x}, {@code u.x.low}, {@code x} or {@code x.low}. */
  private Target target(String names, int start) {
    int[] indices = {ALL, ALL, ALL};
    List<List<String>> known = List.of(program.fields(), program.axes(), SIDES);
    int level = 0;
    int at = start;
    for (String part : names.split("\\.", -1)) {
      String name = part.strip();
      // a field may be left out, an axis may not: sides are sides of an axis
      if (level == 0 && !program.fields().contains(name)) {
        level = 1;
      }
      int index = level < known.size() ? known.get(level).indexOf(name) : ALL;
      if (index < 0) {
        throw TextPlace.problem(
            text,
            at + blanks(part),
            "\"%s\" is unknown here; write a field of %s, an axis of %s and low or high, as in %s.%s.low"
                .formatted(
                    name,
                    program.fields(),
                    program.axes(),
                    program.fields().get(0),
                    program.axes().get(0)));
      }
      indices[level++] = index;
      at += part.length() + 1;
    }
    return new Target(indices[0], indices[1], indices[2]);
  }

  private StencilProgram changed() {
    StencilProgram changed = program;
    for (int field = 0; field < rules.length; field++) {
      List<Boundary> low = new ArrayList<>();
      List<Boundary> high = new ArrayList<>();
      for (int axis = 0; axis < program.dimensions(); axis++) {
        Boundary[] sides = rules[field][axis];
        requireWrapOnBoth(field, axis, sides);
        low.add(sides[0]);
        high.add(sides[1]);
      }
      changed = changed.withBoundary(program.fields().get(field), new FieldBoundary(low, high));
    }
    return changed;
  }

  private void requireWrapOnBoth(int field, int axis, Boundary... sides) {
    if ((sides[0].mode() == Mode.WRAP) != (sides[1].mode() == Mode.WRAP)) {
      throw TextPlace.problem(
          text,
          places[field][axis],
          "%s has %s before and %s after the cells of axis %s; use wrap on both sides or on none"
              .formatted(
                  program.fields().get(field), sides[0], sides[1], program.axes().get(axis)));
    }
  }
}
