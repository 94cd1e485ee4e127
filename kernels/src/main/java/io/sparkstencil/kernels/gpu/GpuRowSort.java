/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.sort.SortTask;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Sorts rows by a radix sort of packed keys, see {@link SortTask}, on a stream of the engine's. */
final class GpuRowSort implements RowSort {
  private static final System.Logger LOG = System.getLogger(GpuRowSort.class.getName());

  private final PrimaryContext context;
  private final Shape shape;
  private final SortParts parts;
  private final CloseScope owned;
  private final BufferLease<DeviceBuffer> device;
  private final SortStage stage;
  private final DeviceStreams.Shared shared;
  private final CudaStream stream;
  private final HeldKernels kernels;
  private final CudaEvent done;
  private int added; // rows
  private int passes;
  private boolean begun; // to sort, which moves the columns
  private int returned = -1; // columns that can be read, once they are in order
  private boolean closed;

  private GpuRowSort(
      GpuEngine engine,
      Shape shape,
      SortParts parts,
      CloseScope owned,
      List<BufferLease<PinnedBuffer>> host,
      BufferLease<DeviceBuffer> device) {
    this.context = engine.context();
    this.shape = shape;
    this.parts = parts;
    this.owned = owned;
    this.device = device;
    this.shared = engine.streams.take();
    owned.add(() -> engine.streams.giveBack(shared));
    this.stream = shared.stream;
    this.kernels = owned.add(engine.hold());
    this.done = owned.add(context.newMarker());
    this.stage = owned.add(new SortStage(context, shared, host, shape.columns()));
    device.inUseUntil(done);
  }

  /** Opens a sort if the engine has the memory for it at this moment. */
  static Optional<GpuRowSort> open(GpuEngine engine, int rows, int columns) {
    Shape shape = new Shape(rows, columns);
    CloseScope owned = new CloseScope();
    try {
      SortParts parts = new SortParts(rows, columns);
      List<BufferLease<PinnedBuffer>> host = SortStage.tryLease(engine.pinned, columns);
      host.forEach(owned::add);
      Optional<BufferLease<DeviceBuffer>> device =
          host.size() < SortStage.BUFFERS
              ? Optional.empty()
              : engine.memory.tryLease(parts.bytes());
      device.ifPresent(owned::add);
      if (device.isEmpty()) {
        owned.close();
        return Optional.empty();
      }
      return Optional.of(new GpuRowSort(engine, shape, parts, owned, host, device.get()));
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  @Override
  public void add(long[] memory, int from, int words, List<Packed> packed, int count) {
    requireOpen();
    shape.requireAdded(added, begun, words, packed, count);
    if (stage.isFullFor(words)) {
      sendStaged();
    }
    stage.put(memory, from, words, packed, added, count);
    added += count;
  }

  private void sendStaged() {
    if (stage.lines() == 0) {
      return;
    }
    LoadedKernel unpack = kernels.get(SortTask.UNPACK); // before the stream is locked, see below
    long base = device.buffer().address();
    LaunchArguments arguments =
        new LaunchArguments()
            .set(KernelParameter.INPUT, base + parts.added() + stage.bytesOfLines())
            .set(KernelParameter.ADDED, base + parts.added())
            .set(KernelParameter.OUTPUT, base + parts.column(0))
            .set(KernelParameter.ROWS, shape.rows());
    context.enter();
    try {
      synchronized (shared) {
        int lines = stage.lines();
        stage.send(base + parts.added());
        unpack.launch(stream, lines, shape.columns(), arguments);
      }
    } finally {
      context.leave();
    }
  }

  @Override
  public void sort(List<Key> keys, int toReturn) {
    requireOpen();
    if (added < shape.rows() || begun) {
      throw new IllegalStateException(
          begun
              ? "rows are sorted once, also if that fails"
              : "%d of %d rows are there".formatted(added, shape.rows()));
    }
    int bits = shape.requireSorted(keys, toReturn);
    begun = true;
    sendStaged();
    List<Key> used = keys.stream().filter(key -> key.bits() > 0).toList();
    if (!used.isEmpty()) {
      // Compiled before the stream is locked, since that takes long.
      for (SortTask task : SortTask.values()) {
        kernels.get(task);
      }
      int needed = (bits + SortTask.DIGIT_BITS - 1) / SortTask.DIGIT_BITS;
      context.enter();
      try {
        submit(used, needed, toReturn);
      } finally {
        context.leave();
      }
      passes = needed;
    }
    returned = toReturn;
  }

  private void submit(List<Key> keys, int needed, int toReturn) {
    long base = device.buffer().address();
    synchronized (shared) {
      SortTask task = SortTask.PACK_FIRST;
      for (Key key : keys) {
        pack(key, task, base);
        task = SortTask.PACK_NEXT;
      }
      for (int pass = 0; pass < needed; pass++) {
        Cancellation.ask();
        pass(pass, base);
      }
      long indexes = base + parts.indexes(needed);
      for (int column = 0; column < toReturn; column++) {
        gather(base + parts.column(column), indexes, base + parts.gathered(column));
      }
    }
  }

  private void pack(Key key, SortTask task, long base) {
    SortTask numbers =
        switch (key.form()) {
          case FLOAT -> SortTask.FLOAT_NUMBERS;
          case DOUBLE -> SortTask.DOUBLE_NUMBERS;
          default -> null;
        };
    long input = base + parts.column(key.column());
    if (numbers != null) {
      long made = base + parts.words(1); // which no pass has used yet
      LaunchArguments arguments =
          new LaunchArguments()
              .set(KernelParameter.INPUT, input)
              .set(KernelParameter.OUTPUT, made)
              .set(KernelParameter.ROWS, shape.rows());
      kernels.get(numbers).launch(stream, shape.rows(), arguments);
      input = made;
    }
    LaunchArguments arguments =
        new LaunchArguments()
            .set(KernelParameter.INPUT, input)
            .set(KernelParameter.OUTPUT, base + parts.words(0))
            .set(KernelParameter.LEAST, key.least())
            .set(KernelParameter.FLIPPED, key.descending() ? -1 : 0)
            .set(KernelParameter.KEY_BITS, key.bits())
            .set(KernelParameter.UNUSED_BITS, Long.SIZE - bits(key.form()))
            .set(KernelParameter.ROWS, shape.rows());
    kernels.get(task).launch(stream, shape.rows(), arguments);
  }

  /** Returns the bits that an integer has before it is packed. */
  private static int bits(Form form) {
    return switch (form) {
      case BYTE -> Byte.SIZE;
      case SHORT -> Short.SIZE;
      case INT -> Integer.SIZE;
      case LONG, FLOAT, DOUBLE -> Long.SIZE;
    };
  }

  /** Sorts by one digit. */
  private void pass(int pass, long base) {
    LaunchArguments arguments =
        new LaunchArguments()
            .set(KernelParameter.INPUT, base + parts.words(pass))
            .set(KernelParameter.OUTPUT, base + parts.words(pass + 1))
            .set(KernelParameter.INPUT_INDEXES, base + parts.indexes(pass))
            .set(KernelParameter.OUTPUT_INDEXES, base + parts.indexes(pass + 1))
            .set(KernelParameter.COUNTS, base + parts.counts())
            .set(KernelParameter.TOTALS, base + parts.totals())
            .set(KernelParameter.DIGIT_SHIFT, (long) pass * SortTask.DIGIT_BITS)
            .set(KernelParameter.ROWS, shape.rows())
            .set(KernelParameter.TILES, SortTask.tiles(shape.rows()));
    kernels.get(SortTask.COUNT).launch(stream, shape.rows(), arguments);
    kernels.get(SortTask.SCAN).launch(stream, SortTask.DIGITS, arguments);
    SortTask scatter = pass == 0 ? SortTask.SCATTER_FIRST : SortTask.SCATTER_NEXT;
    kernels.get(scatter).launch(stream, shape.rows(), arguments);
  }

  private void gather(long column, long indexes, long target) {
    LaunchArguments arguments =
        new LaunchArguments()
            .set(KernelParameter.INPUT, column)
            .set(KernelParameter.OUTPUT, target)
            .set(KernelParameter.INPUT_INDEXES, indexes)
            .set(KernelParameter.ROWS, shape.rows());
    kernels.get(SortTask.GATHER).launch(stream, shape.rows(), arguments);
  }

  @Override
  public void read(int column, int from, int count, long[] to, int at) {
    requireOpen();
    shape.requireRead(column, returned);
    if (column == shape.columns() && passes == 0) {
      Arrays.fill(to, at, at + count, 0); // what keys of no bits are packed to
      return;
    }
    long part =
        column == shape.columns()
            ? parts.words(passes)
            : passes == 0 ? parts.column(column) : parts.gathered(column);
    long source = device.buffer().address() + part + (long) from * Long.BYTES;
    stage.read(source, count, to, at);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("a sort is used after it was closed");
    }
  }

  /** Waits for what was submitted, then gives everything back; throws nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      done.record(stream);
      done.synchronize();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "closing a sort that failed", e);
    }
    stage.giveBack(); // before the events are, for which memory waits
    device.close();
    owned.close();
  }
}
