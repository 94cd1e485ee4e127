/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Reach;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.Update;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * One stage of a step for boxes of cells anywhere in a field, with the boundary held: the kernel
 * that runs any program, and the cells beside the ends where other kernels run the rest.
 *
 * <p>Arguments: the address of the table of jobs, that of the {@link BoundaryTables}, the sizes of
 * the field along three axes (32 bits each), and the parameters of the program as cells. The grid
 * has {@link #blocks} blocks for each job in its first dimension, and the jobs in its second.
 */
public final class StepKernel {
  /** The threads of a block. */
  public static final int THREADS = StepJob.THREADS;

  /** The most parameters, and the most arrays, that a kernel takes. */
  private static final int MOST = 200;

  private final ProgramTraits traits;
  private final Stage stage;
  private final ElementType type;
  private final BoundaryTables tables;
  private final List<Source> sources;
  private final List<List<Integer>> before = new ArrayList<>();
  private final List<List<Integer>> after = new ArrayList<>();

  /**
   * Cells that a stage reads.
   *
   * @param field the index of the field
   * @param updated whether they are those that an earlier stage of this step has written
   */
  public record Source(int field, boolean updated) {}

  /**
   * Prepares the kernel of a stage.
   *
   * @throws UnsupportedStencilException if it has too many arrays or parameters
   */
  public StepKernel(ProgramTraits traits, Stage stage, ElementType type, BoundaryTables tables) {
    this.traits = traits;
    this.stage = stage;
    this.type = type;
    this.tables = tables;
    sources =
        taps().stream().map(tap -> new Source(tap.field(), tap.updated())).distinct().toList();
    for (Source source : sources) {
      Reach reach = traits.reach(stage, source.field(), source.updated());
      before.add(ArrayView.threeAxes(reach.low(), 0));
      after.add(ArrayView.threeAxes(reach.high(), 0));
    }
    int arrays = sources.size() + stage.updates().size();
    int parameters = traits.program().parameters().size();
    if (arrays > MOST || parameters > MOST) {
      throw new UnsupportedStencilException(
          "a stage with %d arrays and %d parameters; GPUs run up to %d of each, the CPU any number"
              .formatted(arrays, parameters, MOST));
    }
  }

  ProgramTraits traits() {
    return traits;
  }

  Stage stage() {
    return stage;
  }

  ElementType type() {
    return type;
  }

  BoundaryTables tables() {
    return tables;
  }

  int dimensions() {
    return traits.program().dimensions();
  }

  /** Returns what the stage reads. */
  public List<Source> sources() {
    return sources;
  }

  /** Returns which source has the cell of a tap. */
  public int source(Node.Tap tap) {
    return sources.indexOf(new Source(tap.field(), tap.updated()));
  }

  /** Returns the nodes of the stage that read cells, in its order. */
  List<Node.Tap> taps() {
    return stage.order().stream()
        .map(traits.program().nodes()::get)
        .filter(Node.Tap.class::isInstance)
        .map(Node.Tap.class::cast)
        .toList();
  }

  /** Returns the number of cells that are read for each result. */
  public int sourceCells() {
    return taps().size();
  }

  /** Returns the fields that the stage writes. */
  public List<Integer> results() {
    return stage.updates().stream().map(Update::field).toList();
  }

  /** Returns how far source {@code index} is read before a cell, along three axes. */
  public List<Integer> before(int index) {
    return before.get(index);
  }

  /** Returns how far source {@code index} is read after a cell, along three axes. */
  public List<Integer> after(int index) {
    return after.get(index);
  }

  /** Returns the bytes of a job in the table. */
  public int jobBytes() {
    int bytes =
        StepJob.HEADER_BYTES
            + sources.size() * StepJob.SOURCE_BYTES
            + stage.updates().size() * StepJob.RESULT_BYTES;
    return (bytes + 15) / 16 * 16;
  }

  /** Returns the table of jobs, in native byte order. */
  public ByteBuffer table(List<StepJob> jobs) {
    ByteBuffer table = ByteBuffer.allocate(jobs.size() * jobBytes()).order(ByteOrder.nativeOrder());
    for (int i = 0; i < jobs.size(); i++) {
      jobs.get(i).write(this, table.position(i * jobBytes()));
    }
    return table.rewind();
  }

  /** Returns the blocks in the first dimension of a launch. */
  public int blocks(List<StepJob> jobs) {
    return Math.toIntExact(
        jobs.stream().mapToLong(job -> job.blocks(dimensions())).max().orElseThrow());
  }

  /** Returns the text. */
  public GeneratedKernel generate() {
    return new StepWriter(this).generate();
  }
}
