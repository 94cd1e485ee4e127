/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.gpu.GpuOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * How fields that do not fit on a device are cut along their slowest axis: a part is loaded with
 * the cells around it that some steps need, takes these steps, and goes back.
 *
 * @param length the cells of a part along the slowest axis
 * @param steps the steps that a part takes at once
 */
public record PartSize(int length, int steps) {
  private static final int MOST_STEPS = 256;

  /** Copying a byte costs as much as this many that a step moves in device memory. */
  private static final double COPY_COST = 200;

  /**
   * Chooses the size with the least estimated time.
   *
   * @param bytes the device memory that a part may take
   * @param steps the steps of the whole run
   * @throws DeviceOutOfMemoryException if not even one cell of the axis fits, or the boundary
   *     forbids to cut
   */
  public static PartSize choose(Stages stages, long bytes, int steps) {
    int size = stages.sizes().get(axis(stages));
    if (SlabGeometry.wraps(stages.traits(), 0) == SlabGeometry.Wrapping.SOME) {
      throw new DeviceOutOfMemoryException(
          "fields of %s cells do not fit into %d bytes of device memory, and cannot be cut where some of them wrap; use a larger %s, the same boundary for all fields or the engine cpu"
              .formatted(stages.sizes(), bytes, GpuOptions.DEVICE_BYTES));
    }
    PartSize best = null;
    double least = Double.POSITIVE_INFINITY;
    for (int t = 1; t <= Math.min(steps, MOST_STEPS); t++) {
      int length = longest(stages, bytes, t, size);
      if (length == 0) {
        break;
      }
      double cost = cost(stages, length, t);
      if (cost < least) {
        least = cost;
        best = new PartSize(length, t);
      }
    }
    if (best == null) {
      throw new DeviceOutOfMemoryException(
          "one row or plane of fields with %s cells, and those around it that a step reads, do not fit into %d bytes of device memory; use a larger %s or the engine cpu"
              .formatted(stages.sizes(), bytes, GpuOptions.DEVICE_BYTES));
    }
    return best;
  }

  /** Returns whether the least part, for a single step, fits into some memory. */
  public static boolean fits(Stages stages, long bytes) {
    return longest(stages, bytes, 1, stages.sizes().get(axis(stages))) > 0;
  }

  /** Returns the number of the slowest axis among three. */
  public static int axis(Stages stages) {
    return ArrayView.AXES - stages.dimensions();
  }

  /** Returns the part of the fields that begins at a cell of the slowest axis. */
  public static Span part(Stages stages, int from, int length) {
    int axis = axis(stages);
    List<Integer> low = new ArrayList<>(Stored.start());
    List<Integer> high = new ArrayList<>(stages.sizes());
    low.set(axis, from);
    high.set(axis, Math.min(high.get(axis), from + length));
    return new Span(List.copyOf(low), List.copyOf(high));
  }

  /** Returns the bytes of device memory of one part, tables left out. */
  public static long bytes(Stages stages, SlabGeometry geometry) {
    long arrays = (long) stages.traits().program().fields().size() + stages.updated();
    return arrays * FieldLayout.of(stages.type(), geometry.window(true)).bytes();
  }

  /** Returns the geometry of the part that needs the most memory: one in the middle. */
  private static SlabGeometry largest(Stages stages, int length, int steps) {
    int size = stages.sizes().get(axis(stages));
    return stages.geometry(part(stages, (size - length) / 2, length), steps);
  }

  private static int longest(Stages stages, long bytes, int steps, int size) {
    int fits = 0;
    int tooLong = size + 1;
    while (fits + 1 < tooLong) {
      int middle = (fits + tooLong) >>> 1;
      if (bytes(stages, largest(stages, middle, steps)) <= bytes) {
        fits = middle;
      } else {
        tooLong = middle;
      }
    }
    return fits;
  }

  private static double cost(Stages stages, int length, int steps) {
    SlabGeometry geometry = largest(stages, length, steps);
    double fields = stages.traits().program().fields().size();
    double results = SlabGeometry.cells(part(stages, 0, length));
    double loaded = SlabGeometry.cells(geometry.loaded());
    double copied = fields * loaded + stages.updated() * results;
    double moved = (fields + stages.updated()) * (loaded + results) / 2 * steps;
    return (copied * COPY_COST + moved) / (results * steps);
  }
}
