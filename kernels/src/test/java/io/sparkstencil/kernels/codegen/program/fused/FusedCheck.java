/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.LaunchShape;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.reference.ProgramReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * Runs kernels of several steps on a device and compares all cells with the scalar reference:
 * results by their bits, and the cells that they must not write by what was there before.
 */
final class FusedCheck {
  private static final byte POISON = (byte) 0xFF;

  private static final double[] SPECIAL = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MAX_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL
  };

  /** What the cells of fields are. */
  enum Numbers {
    /** Numbers of one size, and a few zeros. */
    USUAL,
    /** A few that are not finite, very large or very small among them. */
    SPECIAL,
    /** Zeros of both signs, of one in long runs, and few others. */
    ZEROS
  }

  private final PrimaryContext context;
  private final int multiprocessors;
  private final Numbers numbers;
  private int resident;

  FusedCheck(PrimaryContext context, int multiprocessors) {
    this(context, multiprocessors, Numbers.USUAL);
  }

  FusedCheck(PrimaryContext context, int multiprocessors, Numbers numbers) {
    this.context = context;
    this.multiprocessors = multiprocessors;
    this.numbers = numbers;
  }

  /** Returns this for launches as on a device that runs so many blocks at the same time. */
  FusedCheck withResident(int blocks) {
    FusedCheck check = new FusedCheck(context, multiprocessors, numbers);
    check.resident = blocks;
    return check;
  }

  /** Returns how the cells of an array lie in memory. */
  static FusedKernel.Layout layout(ElementType type, List<Integer> sizes) {
    int aligned = 128 / type.bytes();
    int fastest = sizes.get(sizes.size() - 1);
    return new FusedKernel.Layout(sizes, (fastest + aligned - 1) / aligned * aligned);
  }

  /** Returns what is wrong, or nothing. */
  Optional<String> fault(FusedCase what, FusedKernel kernel, List<Integer> sizes) {
    FusedKernel.Layout layout = layout(what.type(), sizes);
    FusedKernel.Span results = kernel.results(layout).orElseThrow();
    return fault(what, kernel, layout, results);
  }

  private Optional<String> fault(
      FusedCase what, FusedKernel kernel, FusedKernel.Layout layout, FusedKernel.Span results) {
    List<Integer> sizes = layout.sizes();
    int fastest = sizes.get(sizes.size() - 1);
    Grid grid = new Grid(sizes, layout.pitch());
    List<Object> cells = new ArrayList<>();
    for (int field = 0; field < what.program().fields().size(); field++) {
      cells.add(random(what.type(), grid.cells(), 31 * field + fastest));
    }
    try (CloseScope owned = new CloseScope()) {
      List<Object> written = run(what, kernel, layout, results, cells, owned);
      ParameterValues parameters = FusedCheck::parameter;
      ProgramReference.run(
          what.program(),
          new ProgramArrays(what.type(), new Extent(sizes), grid.dense(what.type(), cells)),
          parameters,
          kernel.steps());
      return compare(what, kernel, grid, results, written);
    }
  }

  private static double parameter(int parameter, long step) {
    return 0.01 * (parameter + 1) + 0.001 * step;
  }

  private Object random(ElementType type, int count, long seed) {
    Random random = new Random(seed);
    Object array = type.newArray(count);
    for (int i = 0; i < count; i++) {
      double value = number(random, i);
      if (array instanceof float[] floats) {
        floats[i] = (float) value;
      } else {
        ((double[]) array)[i] = value;
      }
    }
    return array;
  }

  private double number(Random random, int cell) {
    double usual = random.nextInt(50) == 0 ? -0.0 : random.nextDouble() - 0.25;
    return switch (numbers) {
      case USUAL -> usual;
      case SPECIAL -> random.nextInt(800) == 0 ? SPECIAL[random.nextInt(SPECIAL.length)] : usual;
      case ZEROS ->
          random.nextInt(500) == 0
              ? usual
              : Math.copySign(0.0, cell / 3000 % 2 == 0 ? 1 : random.nextInt(8) - 6.5);
    };
  }

  /** The cells of an array with padding at the end of each row. */
  private static final class Grid {
    private final List<Integer> sizes;
    private final int pitch;
    private List<Object> dense = List.of();

    Grid(List<Integer> sizes, int pitch) {
      this.sizes = sizes;
      this.pitch = pitch;
    }

    /** Returns the rows of all planes. */
    int rows() {
      return sizes.subList(0, sizes.size() - 1).stream().reduce(1, (a, b) -> a * b);
    }

    /** Returns whether a row has cells in a box. */
    boolean has(FusedKernel.Span span, int row) {
      int left = row;
      for (int axis = sizes.size() - 2; axis >= 0; axis--) {
        int at = left % sizes.get(axis);
        if (at < span.low().get(axis) || at >= span.high().get(axis)) {
          return false;
        }
        left /= sizes.get(axis);
      }
      return true;
    }

    int columns() {
      return sizes.get(sizes.size() - 1);
    }

    int cells() {
      return rows() * pitch;
    }

    /** Returns the cells without padding, which become those of the reference. */
    List<Object> dense(ElementType type, List<Object> padded) {
      dense = new ArrayList<>();
      for (Object array : padded) {
        Object rows = type.newArray(rows() * columns());
        for (int row = 0; row < rows(); row++) {
          System.arraycopy(array, row * pitch, rows, row * columns(), columns());
        }
        dense.add(rows);
      }
      return dense;
    }
  }

  private List<Object> run(
      FusedCase what,
      FusedKernel kernel,
      FusedKernel.Layout layout,
      FusedKernel.Span span,
      List<Object> cells,
      CloseScope owned) {
    Grid grid = new Grid(layout.sizes(), layout.pitch());
    long bytes = (long) grid.cells() * what.type().bytes();
    CudaStream stream = owned.add(context.newStream());
    PinnedBuffer staged = owned.add(context.allocatePinned(bytes));
    List<Long> arguments = new ArrayList<>();
    for (int field : kernel.inputs()) {
      DeviceBuffer buffer = owned.add(context.allocateDevice(bytes));
      write(staged.view(0, bytes), cells.get(field));
      stream.copyIn(staged, bytes, buffer.address());
      stream.synchronize();
      arguments.add(buffer.address());
    }
    List<DeviceBuffer> outputs = new ArrayList<>();
    for (int output = 0; output < kernel.outputs().size(); output++) {
      DeviceBuffer buffer = owned.add(context.allocateDevice(bytes));
      stream.fill(buffer.address(), bytes, POISON);
      outputs.add(buffer);
      arguments.add(buffer.address());
    }
    launch(
        what, kernel, resident -> kernel.launch(layout, span, resident), arguments, stream, owned);
    List<Object> results = new ArrayList<>();
    for (DeviceBuffer buffer : outputs) {
      stream.copyOut(buffer.address(), bytes, staged);
      stream.synchronize();
      results.add(read(what.type(), staged.view(0, bytes), grid.cells()));
    }
    return results;
  }

  private void launch(
      FusedCase what,
      FusedKernel kernel,
      IntFunction<FusedKernel.Launch> launches,
      List<Long> addresses,
      CudaStream stream,
      CloseScope owned) {
    GeneratedKernel generated = kernel.generate();
    LoadedKernel loaded = owned.add(new LoadedKernel(context, generated));
    int ofDevice = loaded.blocksPerMultiprocessor() * multiprocessors;
    FusedKernel.Launch launch = launches.apply(resident > 0 ? resident : ofDevice);
    List<Long> arguments = new ArrayList<>(addresses);
    launch.numbers().forEach(number -> arguments.add((long) number));
    addParameters(what, kernel, arguments);
    loaded
        .function()
        .launch(
            stream,
            new LaunchShape(
                launch.blocks(),
                launch.blocksY(),
                generated.threadsPerBlock(),
                generated.dynamicSharedBytes()),
            arguments.stream().mapToLong(Long::longValue).toArray());
  }

  private static void addParameters(FusedCase what, FusedKernel kernel, List<Long> arguments) {
    StencilProgram program = what.program();
    for (int step = 0; step < kernel.steps(); step++) {
      for (int p = 0; p < program.parameters().size(); p++) {
        double value = parameter(p, step);
        arguments.add(
            what.type() == ElementType.F32
                ? Float.floatToRawIntBits((float) value)
                : Double.doubleToRawLongBits(value));
      }
    }
  }

  private static void write(ByteBuffer target, Object cells) {
    target.order(ByteOrder.nativeOrder());
    if (cells instanceof float[] floats) {
      target.asFloatBuffer().put(floats);
    } else {
      target.asDoubleBuffer().put((double[]) cells);
    }
  }

  private static Object read(ElementType type, ByteBuffer source, int count) {
    source.order(ByteOrder.nativeOrder());
    Object cells = type.newArray(count);
    if (cells instanceof float[] floats) {
      source.asFloatBuffer().get(floats);
    } else {
      source.asDoubleBuffer().get((double[]) cells);
    }
    return cells;
  }

  private static Optional<String> compare(
      FusedCase what, FusedKernel kernel, Grid grid, FusedKernel.Span span, List<Object> results) {
    int last = grid.sizes.size() - 1;
    for (int output = 0; output < results.size(); output++) {
      Object expected = grid.dense.get(kernel.outputs().get(output));
      for (int row = 0; row < grid.rows(); row++) {
        boolean inRows = grid.has(span, row);
        for (int x = 0; x < grid.pitch; x++) {
          boolean inside = inRows && x >= span.low().get(last) && x < span.high().get(last);
          long actual = bits(results.get(output), row * grid.pitch + x);
          long right = inside ? bits(expected, row * grid.columns() + x) : poison(what.type());
          if (actual != right
              && !bothNaN(results.get(output), row * grid.pitch + x, inside, right)) {
            return Optional.of(
                "%s, %s, sizes %s: output %d at row %d, column %d is %x, not %x"
                    .formatted(what, kernel, grid.sizes, output, row, x, actual, right));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static long poison(ElementType type) {
    return type == ElementType.F32 ? -1 : -1L;
  }

  private static boolean bothNaN(Object array, int index, boolean inside, long right) {
    if (!inside) {
      return false;
    }
    return array instanceof float[] floats
        ? Float.isNaN(floats[index]) && Float.isNaN(Float.intBitsToFloat((int) right))
        : Double.isNaN(((double[]) array)[index]) && Double.isNaN(Double.longBitsToDouble(right));
  }

  private static long bits(Object array, int index) {
    return array instanceof float[] floats
        ? Float.floatToRawIntBits(floats[index])
        : Double.doubleToRawLongBits(((double[]) array)[index]);
  }
}
