/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.model.ElementType;
import java.util.List;

/**
 * How a box of cells lies in device memory: rows are aligned, planes follow one another.
 *
 * @param type the type of the cells
 * @param cells the positions of the cells along three axes
 * @param pitch cells from a row to the next
 */
public record FieldLayout(ElementType type, Span cells, int pitch) {
  /** Rows of whole fields are aligned to this many bytes. */
  private static final int ROW_BYTES = 128;

  /** Arrays are aligned to this many bytes. */
  public static final int ARRAY_BYTES = 256;

  /** Returns the layout of a box. */
  public static FieldLayout of(ElementType type, Span cells) {
    int length = cells.high().get(2) - cells.low().get(2);
    int unit = ROW_BYTES / type.bytes();
    return new FieldLayout(type, cells, Math.multiplyExact((length + unit - 1) / unit, unit));
  }

  /** Returns the layout of a field with these cells along each axis of a program. */
  public static FieldLayout ofSizes(ElementType type, List<Integer> sizes) {
    return of(type, new Span(List.of(0, 0, 0), ArrayView.threeAxes(sizes, 1)));
  }

  /** Returns the layout as kernels of several steps want it. */
  public FusedKernel.Layout forKernels(int dimensions) {
    return new FusedKernel.Layout(
        cells.high().subList(ArrayView.AXES - dimensions, ArrayView.AXES), pitch);
  }

  private long length(int axis) {
    return (long) cells.high().get(axis) - cells.low().get(axis);
  }

  /** Returns the cells of a row. */
  public int rowCells() {
    return (int) length(2);
  }

  /** Returns the number of rows of some planes. */
  public long rows(long planes) {
    return planes * length(1);
  }

  /** Returns the bytes from a row to the next. */
  public long rowBytes() {
    return (long) pitch * type.bytes();
  }

  /** Returns the bytes of the whole box. */
  public long bytes() {
    long bytes = rows(length(0)) * rowBytes();
    return (bytes + ARRAY_BYTES - 1) / ARRAY_BYTES * ARRAY_BYTES;
  }

  /** Returns the box at an address. */
  public Stored at(long address) {
    return new Stored(address, type.bytes(), rowBytes(), length(1) * rowBytes(), cells.low());
  }
}
