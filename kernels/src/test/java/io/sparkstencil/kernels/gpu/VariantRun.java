/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs variants of one stencil on a device: over flat arrays of sizes around those of warps and
 * blocks, and over series of awkward lengths under every boundary. Cells stay on the device and
 * expectations are computed once, so that another variant costs little more than its launches.
 * Outputs are poisoned before and guarded behind. Used by one thread.
 */
final class VariantRun implements AutoCloseable {
  /** Launches per variant: six sizes of flat arrays, and series under every boundary. */
  static final int LAUNCHES = 6 + BoundaryCells.BOUNDARIES.size();

  private static final int GUARD_CELLS = 64;
  private static final int FARTHER_SHIFT = 16;
  private static final int ALIGNMENT_CELLS = 256;
  private static final byte POISON = (byte) 0xFB;

  private final HeldKernels kernels;
  private final KernelSource source;
  private final FlatStencil what;
  private final VariantCells flat;
  private final List<Bounded> bounded = new ArrayList<>();
  private final CudaStream stream;
  private final PinnedBuffer host;
  private final PinnedBuffer hostValidity;
  private final DeviceBuffer cells;
  private final DeviceBuffer validity;
  private final DeviceBuffer tables;
  private final DeviceBuffer outputs;
  private final DeviceBuffer outputValidity;

  /** Series under one boundary, and where they lie on the device. */
  private record Bounded(BoundaryCells cells, DevicePieces pieces, int at) {}

  /** One launch over a flat array, or one over series: where its outputs begin, and how many. */
  private record Launched(int at, int positions, int shift, Bounded bounded) {}

  /** Runs variants of one stencil; returns what is wrong with their results. */
  static List<String> check(
      PrimaryContext context,
      KernelCache kernels,
      KernelSource source,
      List<KernelVariant> variants) {
    FlatStencil what = variants.get(0).what();
    int largest = variants.stream().mapToInt(v -> v.how().outputsPerBlock()).max().orElseThrow();
    try (VariantRun run = new VariantRun(context, kernels, source, what, largest)) {
      return variants.stream().flatMap(variant -> run.check(variant).stream()).toList();
    }
  }

  /** Computes and copies what all variants share. */
  private VariantRun(
      PrimaryContext context,
      KernelCache kernels,
      KernelSource source,
      FlatStencil what,
      int largestBlock) {
    this.kernels = kernels.hold(source::generate);
    this.source = source;
    this.what = what;
    int most = 2 * largestBlock + 7;
    this.flat = new VariantCells(what, what.skewCells() + FARTHER_SHIFT + most, 3 + what.width());
    List<BoundaryCells> underBoundaries = new ArrayList<>();
    int inputCells = aligned(flat.count());
    int outputCells = 3 * aligned(100) + 2 * aligned(largestBlock) + aligned(most);
    for (Boundary boundary : BoundaryCells.BOUNDARIES) {
      int index = underBoundaries.size();
      boolean special = index % 2 == 1;
      CellMix kind =
          what.nullable()
              ? (special ? CellMix.SPECIAL_NULLS : CellMix.NULLS)
              : (special ? CellMix.SPECIAL : CellMix.ORDINARY);
      BoundaryCells one = new BoundaryCells(what, boundary, kind, 100 * what.width() + index);
      underBoundaries.add(one);
      inputCells += aligned(one.layout().stagedCells());
      outputCells += aligned(DevicePieces.positions(one.layout()));
    }
    int size = what.type().bytes();
    int hostCells = Math.max(inputCells, outputCells);
    this.stream = context.newStream();
    this.host = context.allocatePinned((long) hostCells * size);
    this.hostValidity = context.allocatePinned(hostCells);
    this.cells = context.allocateDevice((long) inputCells * size);
    this.validity = context.allocateDevice(inputCells);
    this.tables = context.allocateDevice((long) ALIGNMENT_CELLS * BoundaryCells.BOUNDARIES.size());
    this.outputs = context.allocateDevice((long) outputCells * size);
    this.outputValidity = context.allocateDevice(outputCells);
    copyIn(underBoundaries, inputCells);
  }

  /** Cells that a region of {@code count} cells and its guard take. */
  private static int aligned(int count) {
    return (count + GUARD_CELLS + ALIGNMENT_CELLS - 1) / ALIGNMENT_CELLS * ALIGNMENT_CELLS;
  }

  private void copyIn(List<BoundaryCells> underBoundaries, int inputCells) {
    int size = what.type().bytes();
    flat.put(view(host, 0, size), view(hostValidity, 0, 1));
    int at = aligned(flat.count());
    for (BoundaryCells one : underBoundaries) {
      one.put(view(host, at, size), view(hostValidity, at, 1));
      at += aligned(one.layout().stagedCells());
    }
    stream.copyIn(host, (long) inputCells * size, cells.address());
    stream.copyIn(hostValidity, inputCells, validity.address());
    stream.synchronize();
    at = aligned(flat.count());
    for (BoundaryCells one : underBoundaries) {
      int table = ALIGNMENT_CELLS * bounded.size();
      int rows = one.putTable(view(host, table, 1));
      DevicePieces pieces =
          new DevicePieces(
              stream, kernels, one.layout(), what.nullable(), tables.address() + table, rows);
      bounded.add(new Bounded(one, pieces, at));
      at += aligned(one.layout().stagedCells());
    }
    stream.copyIn(host, tables.bytes(), tables.address());
    stream.synchronize();
  }

  private static ByteBuffer view(PinnedBuffer buffer, int fromCell, int size) {
    long from = (long) fromCell * size;
    return buffer.view(from, buffer.bytes() - from);
  }

  private List<String> check(KernelVariant variant) {
    LoadedKernel kernel = kernels.get(variant);
    stream.fill(outputs.address(), outputs.bytes(), POISON);
    stream.fill(outputValidity.address(), outputValidity.bytes(), POISON);
    List<Launched> launches = new ArrayList<>();
    int at = 0;
    int block = variant.how().outputsPerBlock();
    for (int positions : new int[] {1, 31, 33, block - 1, block, 2 * block + 7}) {
      int shift = what.skewCells() + (positions % 2) * FARTHER_SHIFT;
      launchFlat(kernel, positions, shift, at);
      launches.add(new Launched(at, positions, shift, null));
      at += aligned(positions);
    }
    int size = what.type().bytes();
    DeviceCells input = new DeviceCells(cells.address(), validity.address());
    DeviceCells output = new DeviceCells(outputs.address(), outputValidity.address());
    for (Bounded one : bounded) {
      GpuStencil stencil =
          new GpuStencil(one.cells().spec(), new OneVariant(variant, source), kernels);
      one.pieces().run(stencil, input.after(one.at(), size), output.after(at, size), 1);
      int positions = DevicePieces.positions(one.cells().layout());
      launches.add(new Launched(at, positions, 0, one));
      at += aligned(positions);
    }
    stream.copyOut(outputs.address(), (long) at * size, host);
    stream.copyOut(outputValidity.address(), at, hostValidity);
    stream.synchronize();
    List<String> wrong = new ArrayList<>();
    for (Launched launched : launches) {
      String difference = difference(launched);
      if (difference != null) {
        wrong.add(
            "%s, %d positions, shift %d: %s"
                .formatted(variant, launched.positions(), launched.shift(), difference));
      }
    }
    return wrong;
  }

  private void launchFlat(LoadedKernel kernel, int positions, int shift, int at) {
    int tiles = kernel.generated().blocks(positions);
    kernel.launch(
        stream,
        // of three tiles, a block takes two where blocks take turns
        kernel.generated().takesTurns() ? Math.min(2, tiles) : tiles,
        1,
        new LaunchArguments()
            .set(KernelParameter.INPUT, cells.address())
            .set(KernelParameter.OUTPUT, outputs.address() + (long) at * what.type().bytes())
            .set(KernelParameter.INPUT_VALIDITY, validity.address())
            .set(KernelParameter.OUTPUT_VALIDITY, outputValidity.address() + at)
            .set(KernelParameter.STAGED_CELLS, shift + positions + what.width() - 1)
            .set(KernelParameter.POSITIONS, positions)
            .set(KernelParameter.SHIFT, shift));
  }

  private String difference(Launched launched) {
    int size = what.type().bytes();
    ByteBuffer results = view(host, launched.at(), size);
    ByteBuffer valid = view(hostValidity, launched.at(), 1);
    int end = launched.positions();
    for (int i = end * size; i < (end + GUARD_CELLS) * size; i++) {
      if (results.get(i) != POISON) {
        return "byte %d behind the outputs was written".formatted(i - end * size);
      }
    }
    for (int i = end; i < end + GUARD_CELLS; i++) {
      if (valid.get(i) != POISON) {
        return "validity %d behind the outputs was written".formatted(i - end);
      }
    }
    return launched.bounded() == null
        ? flat.difference(launched.shift(), end, results, valid)
        : launched.bounded().cells().difference(results, valid);
  }

  @Override
  public void close() {
    List.of(outputValidity, outputs, tables, validity, cells).forEach(DeviceBuffer::close);
    hostValidity.close();
    host.close();
    kernels.close();
    stream.close();
  }

  /** Kernels for one stencil by one schedule; all others as elsewhere. */
  private record OneVariant(KernelVariant variant, KernelSource source) implements KernelSource {
    @Override
    public List<KernelVariant> candidates(FlatStencil what) {
      return what.equals(variant.what()) ? List.of(variant) : source.candidates(what);
    }

    @Override
    public GeneratedKernel generate(KernelKey key) {
      return source.generate(key);
    }
  }
}
