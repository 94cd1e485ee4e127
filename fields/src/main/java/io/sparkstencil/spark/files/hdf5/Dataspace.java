/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How many values there are.
 *
 * @param shape along each axis; no axes for a single value
 * @param most the longest that each axis may become; {@link Storage#NOWHERE} without a limit
 * @param none whether there is no value at all
 */
record Dataspace(List<Long> shape, List<Long> most, boolean none) {
  static Dataspace read(Storage storage, ByteBuffer from) throws IOException {
    int version = from.get();
    if (version != 1 && version != 2) {
      throw new IOException("the version of a dataspace is %d, not 1 or 2".formatted(version));
    }
    int axes = from.get() & 0xff;
    int flags = from.get();
    int kind = from.get();
    if (version == 1) {
      from.position(from.position() + 4);
    }
    if (axes > 32) {
      throw new IOException("an array has %d axes, and at most 32 can be".formatted(axes));
    }
    List<Long> shape = new ArrayList<>();
    for (int axis = 0; axis < axes; axis++) {
      shape.add(storage.length(from));
    }
    List<Long> most = new ArrayList<>(shape);
    for (int axis = 0; axis < axes && (flags & 1) != 0; axis++) {
      most.set(axis, Storage.numberOrNowhere(from, storage.lengthBytes()));
    }
    return new Dataspace(List.copyOf(shape), List.copyOf(most), version == 2 && kind == 2);
  }

  /** Returns the number of values, at most so many. */
  int count(int most) throws IOException {
    long count = none ? 0 : 1;
    for (long size : shape) {
      count = size != 0 && count > most / size ? Long.MAX_VALUE : count * size;
      if (count > most) {
        throw new UnsupportedHdf5(
            "an attribute of more than %d values".formatted(most), "store them as an array");
      }
    }
    return (int) count;
  }
}
