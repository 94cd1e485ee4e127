/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.ShortText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of an array that a name says in brackets: {@code [3]}, {@code [0,:,10:20]} or {@code
 * [time=3]}. A single position takes its axis away. Positions count from 0, and below 0 from the
 * end.
 *
 * @param text with its brackets, for messages
 * @param parts one for each axis that is named, or for the first axes
 */
record FieldSlice(String text, List<Part> parts) {
  private static final Pattern PART =
      Pattern.compile(
          "\\s*(?:(?<axis>[^=]*?)\\s*=\\s*)?(?<from>-?\\d+)?(?<to>\\s*:\\s*(-?\\d+)?)?");

  private static final String FORMS =
      "write a position, a range FROM:TO or : for each axis, as in [0,:,10:20], or names of axes, as in [time=3]";

  /**
   * What is taken along an axis.
   *
   * @param axis its name, or nothing for the next one
   * @param from the first position, or nothing for all from the start
   * @param to the position after the last, or nothing for all to the end
   * @param single whether {@code from} is the only one
   */
  private record Part(
      Optional<String> axis, Optional<Long> from, Optional<Long> to, boolean single) {}

  /**
   * What is taken along an axis of a certain length.
   *
   * @param from the first position
   * @param count how many
   * @param kept whether the axis stays
   */
  record Taken(long from, long count, boolean kept) {}

  /**
   * Reads what stands in brackets.
   *
   * @param path of the array, for messages
   */
  static FieldSlice parse(String path, String text) {
    List<Part> parts = new ArrayList<>();
    for (String each : text.substring(1, text.length() - 1).split(",", -1)) {
      parts.add(part(each, path + ShortText.of(text)));
    }
    return new FieldSlice(text, List.copyOf(parts));
  }

  private static Part part(String written, String name) {
    Matcher matcher = PART.matcher(written.strip());
    if (!matcher.matches() || (matcher.group("from") == null && matcher.group("to") == null)) {
      throw FieldFileException.wrongCall(
          "\"%s\" in %s is no part of an array; %s".formatted(ShortText.of(written), name, FORMS));
    }
    try {
      return new Part(
          Optional.ofNullable(matcher.group("axis")),
          Optional.ofNullable(matcher.group("from")).map(Long::valueOf),
          Optional.ofNullable(matcher.group(4)).map(Long::valueOf),
          matcher.group("to") == null);
    } catch (NumberFormatException e) {
      throw FieldFileException.wrongCall(
          "a number in %s has more digits than a position can; use smaller ones".formatted(name));
    }
  }

  /** Returns what is taken along each axis of an array. */
  List<Taken> along(String path, FieldReader array) {
    List<Long> shape = array.shape();
    List<String> names = names(array);
    List<Taken> taken = new ArrayList<>();
    shape.forEach(size -> taken.add(new Taken(0, size, true)));
    boolean[] given = new boolean[shape.size()];
    boolean named = false;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (named && part.axis().isEmpty()) {
        throw refused(path, "has a position without a name behind one with a name", FORMS);
      }
      named = part.axis().isPresent();
      int axis = named ? axis(part.axis().orElseThrow(), path, names) : i;
      if (axis >= shape.size()) {
        throw refused(
            path,
            "has %d parts, and the array %s".formatted(parts.size(), axes(array)),
            "give at most one for each axis");
      }
      if (given[axis]) {
        throw refused(path, "says an axis twice", "say it once");
      }
      given[axis] = true;
      taken.set(axis, taken(part, shape.get(axis), path, axis, names));
    }
    return taken;
  }

  /** Names that do not fit the axes are none. */
  private static List<String> names(FieldReader array) {
    List<String> names = array.dimensionNames();
    return names.size() == array.shape().size() ? names : List.of();
  }

  private int axis(String name, String path, List<String> names) {
    int axis = names.indexOf(name);
    if (axis < 0) {
      throw refused(
          path,
          names.isEmpty()
              ? "names the axis %s, and the axes of the array have no names".formatted(name)
              : "names the axis %s, and the array has the axes %s"
                  .formatted(name, String.join(", ", names)),
          names.isEmpty() ? "give positions in the order of axes, as in [0,:]" : "use one of them");
    }
    if (Collections.frequency(names, name) > 1) {
      throw refused(
          path,
          "names the axis %s, and %d have that name"
              .formatted(name, Collections.frequency(names, name)),
          "give positions in the order of axes, as in [0,:]");
    }
    return axis;
  }

  private Taken taken(Part part, long size, String path, int axis, List<String> names) {
    long from = fromEnd(part.from().orElse(0L), size);
    long to = part.single() ? from + 1 : fromEnd(part.to().orElse(size), size);
    if (from < 0 || to > size || from >= to) {
      throw refused(
          path,
          "takes %s of axis %s, which has the positions 0 to %d"
              .formatted(
                  part.single() ? "position " + from : "positions %d:%d".formatted(from, to),
                  names.isEmpty() || names.get(axis).isEmpty() ? axis : names.get(axis),
                  size - 1),
          "use some of them; below 0 counts from the end");
    }
    return new Taken(from, to - from, !part.single());
  }

  private static long fromEnd(long position, long size) {
    return position < 0 ? position + size : position;
  }

  private FieldFileException refused(String path, String what, String remedy) {
    return FieldFileException.wrongCall(
        "%s%s: the slice %s; %s".formatted(path, ShortText.of(text), ShortText.of(what), remedy));
  }

  /** Says which axes an array has, such as {@code has 3 axes, time, y, x of 12, 90, 180 cells}. */
  static String axes(FieldReader array) {
    List<String> names = names(array);
    int axes = array.shape().size();
    String sizes = array.shape().toString();
    return "has %d %s, %s%s"
        .formatted(
            axes,
            axes == 1 ? "axis" : "axes",
            names.isEmpty() ? "" : String.join(", ", names) + " ",
            "of %s cells".formatted(sizes.substring(1, sizes.length() - 1)));
  }

  /** Returns the slice with the first position of the first axes that leaves so many. */
  static String leaving(FieldReader array, int axes) {
    List<String> names = names(array);
    List<String> parts = new ArrayList<>();
    int taken = array.shape().size() - axes;
    boolean named = !names.isEmpty();
    for (int axis = 0; axis < taken; axis++) {
      named =
          named && !names.get(axis).isEmpty() && Collections.frequency(names, names.get(axis)) == 1;
    }
    for (int axis = 0; axis < array.shape().size(); axis++) {
      if (axis < taken) {
        parts.add(named ? names.get(axis) + "=0" : "0");
      } else if (!named) {
        parts.add(":");
      }
    }
    return "[%s]".formatted(String.join(",", parts));
  }
}
