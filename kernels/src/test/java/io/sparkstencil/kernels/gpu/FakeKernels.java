/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.codegen.move.PieceKernel;
import io.sparkstencil.kernels.codegen.move.ValidityKernel;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.CoefficientPlacement;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ReductionForm;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.model.Weights;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Kernels for a {@link FakeGpu}: what real ones do by PTX, these do by the reference engine. They
 * keep to the same contract over the flat array, so a lane is tested as it is.
 */
public final class FakeKernels implements KernelSource {
  private static final KernelSchedule SCHEDULE =
      new KernelSchedule(
          StagingStrategy.DIRECT,
          128,
          1,
          4,
          CoefficientPlacement.IMMEDIATE,
          ReductionForm.SEQUENTIAL,
          CacheHints.NONE,
          64,
          0);
  private static final KernelSchedule SECOND_CHOICE = SCHEDULE.withHints(CacheHints.STREAM_STORES);

  private static final List<KernelParameter> PLAIN =
      List.of(
          KernelParameter.INPUT,
          KernelParameter.OUTPUT,
          KernelParameter.STAGED_CELLS,
          KernelParameter.POSITIONS,
          KernelParameter.SHIFT);
  private static final List<KernelParameter> WITH_VALIDITY =
      List.of(
          KernelParameter.INPUT,
          KernelParameter.OUTPUT,
          KernelParameter.STAGED_CELLS,
          KernelParameter.POSITIONS,
          KernelParameter.SHIFT,
          KernelParameter.INPUT_VALIDITY,
          KernelParameter.OUTPUT_VALIDITY);
  private static final List<KernelParameter> EDGE_VALUES =
      edges(KernelParameter.INPUT, KernelParameter.OUTPUT);
  private static final List<KernelParameter> EDGE_VALIDITY =
      edges(KernelParameter.INPUT_VALIDITY, KernelParameter.OUTPUT_VALIDITY);

  private static List<KernelParameter> edges(KernelParameter input, KernelParameter output) {
    return List.of(
        input,
        output,
        KernelParameter.STAGED_CELLS,
        KernelParameter.PIECES,
        KernelParameter.PIECE_COUNT,
        KernelParameter.LEFT,
        KernelParameter.RIGHT,
        KernelParameter.PRECEDING,
        KernelParameter.FOLLOWING);
  }

  private final FakeGpu gpu;

  public FakeKernels(FakeGpu gpu) {
    this.gpu = gpu;
  }

  @Override
  public List<KernelVariant> candidates(FlatStencil what) {
    return List.of(new KernelVariant(what, SCHEDULE), new KernelVariant(what, SECOND_CHOICE));
  }

  @Override
  public GeneratedKernel generate(KernelKey key) {
    if (key instanceof KernelVariant variant) {
      return bulk(variant);
    }
    if (key instanceof EdgeVariant variant) {
      return edges(variant);
    }
    return key instanceof PieceKernel.Task task
        ? pieces(task)
        : validity((ValidityKernel.Task) key);
  }

  private GeneratedKernel bulk(KernelVariant variant) {
    FlatStencil what = variant.what();
    gpu.kernel(variant.entryName(), (device, threads, args) -> runBulk(device, what, args));
    return kernel(variant.entryName(), 128, what.nullable() ? WITH_VALIDITY : PLAIN);
  }

  private GeneratedKernel edges(EdgeVariant variant) {
    gpu.kernel(variant.entryName(), (device, threads, args) -> runEdges(device, variant, args));
    boolean values = variant.task() == EdgeVariant.Task.VALUES;
    return kernel(variant.entryName(), 1, values ? EDGE_VALUES : EDGE_VALIDITY);
  }

  private GeneratedKernel pieces(PieceKernel.Task task) {
    GeneratedKernel real = PieceKernel.generate(task);
    gpu.kernel(
        real.entryName(),
        (device, threads, args) -> {
          if (task instanceof PieceKernel.Halos halos) {
            writeHalos(device, halos, args);
          } else {
            copyPieces(device, task.bytes(), args);
          }
        });
    return kernel(real.entryName(), 1, real.parameters());
  }

  private GeneratedKernel validity(ValidityKernel.Task task) {
    GeneratedKernel real = ValidityKernel.generate(task);
    boolean expand = task == ValidityKernel.Task.EXPAND;
    gpu.kernel(
        real.entryName(),
        (device, threads, args) -> {
          int cells = (int) args[2];
          for (int i = 0; i < cells; i++) {
            ByteBuffer from = gpu.at(args[0] + (expand ? i / 8 : i), 1);
            ByteBuffer to = gpu.at(args[1] + (expand ? i : i / 8), 1);
            if (expand) {
              to.put((byte) (from.get() >> (i % 8) & 1));
            } else {
              int before = i % 8 == 0 ? 0 : to.get(0);
              to.put((byte) (before | from.get() << (i % 8)));
            }
          }
        });
    return kernel(real.entryName(), real.outputsPerBlock(), real.parameters());
  }

  private static void copyPieces(FakeGpu gpu, int bytes, long[] args) {
    ByteBuffer table = gpu.at(args[2], 16L * (int) args[3]);
    while (table.hasRemaining()) {
      int from = table.getInt();
      int to = table.getInt();
      long count = (long) table.getInt() * bytes;
      table.getInt();
      gpu.at(args[1] + (long) to * bytes, count).put(gpu.at(args[0] + (long) from * bytes, count));
    }
  }

  private static void writeHalos(FakeGpu gpu, PieceKernel.Halos halos, long[] args) {
    Boundary boundary = new Boundary(halos.mode(), 0);
    int left = (int) args[3];
    int right = (int) args[4];
    ByteBuffer table = gpu.at(args[1], 16L * (int) args[2]);
    while (table.hasRemaining()) {
      long origin = args[0] + (long) (table.getInt() + left) * halos.bytes();
      int cells = table.getInt();
      table.getLong();
      for (int i = -left; i < cells + right; i = i == -1 ? cells : i + 1) {
        long source = boundary.sourceIndex(i, cells);
        ByteBuffer target = gpu.at(origin + (long) i * halos.bytes(), halos.bytes());
        if (source >= 0) {
          target.put(gpu.at(origin + source * halos.bytes(), halos.bytes()));
        } else if (halos.bytes() == 8) {
          target.putLong(halos.outside());
        } else if (halos.bytes() == 4) {
          target.putInt((int) halos.outside());
        } else {
          target.put((byte) halos.outside());
        }
      }
    }
  }

  private static GeneratedKernel kernel(
      String name, int outputsPerBlock, List<KernelParameter> parameters) {
    String ptx = ".visible .entry " + name + "(";
    return new GeneratedKernel(name, ptx, 128, outputsPerBlock, 0, 0, parameters, null);
  }

  /** All positions as one piece whose frames all lie to the right. */
  private static void runBulk(FakeGpu gpu, FlatStencil what, long[] args) {
    int positions = (int) args[3];
    int shift = (int) args[4];
    Stencil stencil =
        new Stencil(
            what.reduction(),
            Frame.precedingFollowing(0, what.width() - 1),
            what.weights(),
            Boundary.SHRINK,
            what.accuracy());
    StagingLayout layout = new StagingLayout(shift, what.width() - 1);
    layout.add(positions, 0, 0);
    int cells = (int) args[2];
    if (layout.stagedCells() > cells) {
      throw new IllegalStateException(
          "frames reach cell %d of %d".formatted(layout.stagedCells(), cells));
    }
    HeapCellBuffer input = read(gpu, what.type(), args[0], cells);
    HeapCellBuffer output = new HeapCellBuffer(what.type(), layout.stagedCells(), true);
    if (what.nullable()) {
      gpu.at(args[5], cells).get(input.validity());
    }
    run(
        new StencilSpec(stencil, what.type()),
        new StagedBatch(layout, input, what.nullable()),
        output);
    write(gpu, output, 0, positions, args[1]);
    if (what.nullable()) {
      gpu.at(args[6], positions).put(output.validity(), 0, positions);
    }
  }

  /** Rebuilds the layout: between the pieces of the table lie pieces without missing cells. */
  private static void runEdges(FakeGpu gpu, EdgeVariant variant, long[] args) {
    Reduction reduction = variant.reduction();
    ElementType type = variant.type();
    Frame frame = Frame.offsets(-(int) args[7], (int) args[8]);
    boolean weighted = reduction == Reduction.WEIGHTED_SUM;
    Stencil stencil =
        new Stencil(
            reduction,
            frame,
            weighted ? Weights.of(new double[frame.width()]) : Weights.NONE,
            variant.task() == EdgeVariant.Task.CLIPPED_IS_NULL ? Boundary.VALID : Boundary.SHRINK,
            Accuracy.EXACT);
    StencilSpec spec = new StencilSpec(stencil, type);
    int left = (int) args[5];
    int right = (int) args[6];
    ByteBuffer table = gpu.at(args[3], 16L * (int) args[4]);
    StagingLayout layout = new StagingLayout(left, right);
    List<Integer> tabled = new ArrayList<>();
    while (table.hasRemaining()) {
      int start = table.getInt();
      int cells = table.getInt();
      if (start > layout.stagedCells()) {
        layout.add(start - layout.stagedCells() - left - right, 0, 0);
      }
      tabled.add(layout.add(cells, table.getInt(), table.getInt()));
    }
    boolean values = variant.task() == EdgeVariant.Task.VALUES;
    int staged = (int) args[2];
    HeapCellBuffer input =
        values ? read(gpu, type, args[0], staged) : new HeapCellBuffer(type, staged, true);
    if (!values) {
      gpu.at(args[0], staged).get(input.validity());
    }
    HeapCellBuffer output = new HeapCellBuffer(type, layout.stagedCells(), true);
    run(spec, new StagedBatch(layout, input, !values), output);
    for (int piece : tabled) {
      int clippedLeft = layout.clippedLeft(piece, spec);
      int clippedRight = layout.clippedRight(piece, spec);
      int start = layout.start(piece);
      int rightStart = start + layout.cells(piece) - clippedRight;
      if (values) {
        write(gpu, output, start, clippedLeft, args[1]);
        write(gpu, output, rightStart, clippedRight, args[1]);
      } else {
        gpu.at(args[1] + start, clippedLeft).put(output.validity(), start, clippedLeft);
        gpu.at(args[1] + rightStart, clippedRight).put(output.validity(), rightStart, clippedRight);
      }
    }
  }

  private static void run(StencilSpec spec, StagedBatch batch, HeapCellBuffer output) {
    try (ReferenceEngine engine = new ReferenceEngine();
        Lane lane = engine.openLane()) {
      lane.submit(batch, List.of(engine.compile(spec)), List.of(output)).await();
    }
  }

  private static HeapCellBuffer read(FakeGpu gpu, ElementType type, long address, int cells) {
    HeapCellBuffer buffer = new HeapCellBuffer(type, cells, true);
    ByteBuffer bytes = gpu.at(address, (long) cells * type.bytes());
    switch (type) {
      case F32 -> bytes.asFloatBuffer().get((float[]) buffer.array());
      case F64 -> bytes.asDoubleBuffer().get((double[]) buffer.array());
      case I32 -> bytes.asIntBuffer().get((int[]) buffer.array());
      case I64 -> bytes.asLongBuffer().get((long[]) buffer.array());
    }
    return buffer;
  }

  private static void write(FakeGpu gpu, HeapCellBuffer buffer, int from, int count, long address) {
    int size = buffer.type().bytes();
    ByteBuffer bytes = gpu.at(address + (long) from * size, (long) count * size);
    switch (buffer.type()) {
      case F32 -> bytes.asFloatBuffer().put((float[]) buffer.array(), from, count);
      case F64 -> bytes.asDoubleBuffer().put((double[]) buffer.array(), from, count);
      case I32 -> bytes.asIntBuffer().put((int[]) buffer.array(), from, count);
      case I64 -> bytes.asLongBuffer().put((long[]) buffer.array(), from, count);
    }
  }
}
