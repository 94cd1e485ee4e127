/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of an array.
 *
 * @param array the whole of it, which is closed with this
 * @param name what the part is called, for messages
 * @param taken what is taken along each axis of the array
 */
record SlicedField(FieldReader array, String name, List<FieldSlice.Taken> taken)
    implements FieldReader {
  @Override
  public ElementType type() {
    return array.type();
  }

  @Override
  public List<Long> shape() {
    return taken.stream().filter(FieldSlice.Taken::kept).map(FieldSlice.Taken::count).toList();
  }

  @Override
  public List<String> dimensionNames() {
    List<String> all = array.dimensionNames();
    List<String> names = new ArrayList<>();
    for (int axis = 0; axis < taken.size() && all.size() == taken.size(); axis++) {
      if (taken.get(axis).kept()) {
        names.add(all.get(axis));
      }
    }
    return names;
  }

  @Override
  public Map<String, Object> attributes() {
    return array.attributes();
  }

  @Override
  public Optional<String> decoding() {
    return array.decoding();
  }

  @Override
  public Object read(Box box, ElementType as) {
    FieldChecks.requireInside(box, shape(), name);
    return array.read(whole(box), as);
  }

  @Override
  public Optional<String> note() {
    return array.note();
  }

  @Override
  public long missingParts() {
    return array.missingParts();
  }

  @Override
  public List<Box> pieces(Box box, int mostCells) {
    return array.pieces(whole(box), mostCells).stream().map(this::part).toList();
  }

  @Override
  public long heapBytes(Box box) {
    return array.heapBytes(whole(box));
  }

  /** Returns the position in the array of the first one along an axis of this part. */
  long first(int axis) {
    return taken.stream().filter(FieldSlice.Taken::kept).toList().get(axis).from();
  }

  /** Returns a box of this part as one of the whole array. */
  private Box whole(Box box) {
    List<Long> origin = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    int next = 0;
    for (FieldSlice.Taken each : taken) {
      origin.add(each.from() + (each.kept() ? box.start(next) : 0));
      sizes.add(each.kept() ? box.size(next) : 1);
      next += each.kept() ? 1 : 0;
    }
    return new Box(origin, new Extent(sizes));
  }

  private Box part(Box box) {
    List<Long> origin = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (int axis = 0; axis < taken.size(); axis++) {
      if (taken.get(axis).kept()) {
        origin.add(box.start(axis) - taken.get(axis).from());
        sizes.add(box.size(axis));
      }
    }
    return new Box(origin, new Extent(sizes));
  }

  @Override
  public void close() {
    array.close();
  }
}
