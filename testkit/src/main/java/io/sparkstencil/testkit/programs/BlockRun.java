/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.BlockSteps;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * Runs a program on a grid that is cut into 1 to 37 blocks at random, many of them narrower than
 * the program reaches, which give each other faces.
 */
public final class BlockRun {
  private BlockRun() {}

  /** Makes the fields of a block, of one kind or another. */
  @FunctionalInterface
  public interface BlockMaker {
    /** Returns new fields. */
    BlockFields make(FacePlan plan, int block, Random random);
  }

  /**
   * Runs a number of steps and replaces the cells of all fields.
   *
   * @param seed of how the grid is cut and of the steps between exchanges, which are the same
   *     whenever the same case runs
   * @param fields makes the fields of a block of a plan
   * @param host takes the steps of fields on the heap
   */
  public static void run(
      StencilProgram program,
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      long seed,
      BlockMaker fields,
      BlockFields.HostRunner host) {
    Random random = new Random(seed ^ Objects.hash(program.digest(), arrays.extent(), steps));
    StepReach reach = StepReach.of(program);
    List<Long> sizes = arrays.placement().grid();
    GridBlocks blocks = GridBlocks.cut(sizes, 1 + random.nextInt(37), reach);
    int atOnce = 1 + random.nextInt(4);
    FacePlan plan = FacePlan.of(blocks, reach, atOnce, program.fields().size(), arrays.type());
    List<BlockFields> all = new ArrayList<>();
    Box whole = Box.whole(arrays.extent());
    try {
      for (int block = 0; block < blocks.count(); block++) {
        BlockFields cells = fields.make(plan, block, random);
        all.add(cells);
        for (int field = 0; field < program.fields().size(); field++) {
          Object own = arrays.type().newArray(blocks.box(block).cells());
          CellBoxes.copy(
              arrays.arrays().get(field), whole, own, blocks.box(block), blocks.box(block));
          cells.load(field, own);
        }
      }
      for (int done = 0; done < steps; done += atOnce) {
        int updated = program.updates().size();
        exchange(plan, all, 0, updated, random);
        if (done == 0) {
          exchange(plan, all, updated, program.fields().size(), random);
        }
        for (BlockFields cells : all) {
          new BlockSteps(program, cells.place(), parameters, List.of(), List.of())
              .run(
                  cells,
                  done,
                  Math.min(atOnce, steps - done),
                  (block, values, n) -> block.step(values, n, host));
        }
      }
      for (BlockFields cells : all) {
        Box own = cells.place().own();
        for (int field = 0; field < program.fields().size(); field++) {
          CellBoxes.copy(cells.cells(field, own), own, arrays.arrays().get(field), whole, own);
        }
      }
    } finally {
      all.forEach(BlockFields::close);
    }
  }

  /** Fills all halos; some faces travel as bytes, and others from block to block. */
  private static void exchange(
      FacePlan plan, List<BlockFields> all, int first, int end, Random random) {
    List<Face> faces = new ArrayList<>();
    for (BlockFields giver : all) {
      for (int taker : plan.takers(giver.place().block())) {
        ByteBuffer packed =
            random.nextBoolean() ? null : giver.pack(all.get(taker).place(), first, end);
        faces.add(new Face(giver, all.get(taker), packed));
      }
    }
    all.forEach(block -> block.fillOwnImages(first, end));
    int received = 0;
    for (Face face : faces) {
      int giver = face.giver().place().block();
      if (face.packed() == null) {
        face.taker().take(face.giver(), first, end);
      } else {
        face.taker().unpack(giver, first, end, face.packed());
      }
      received += face.taker().place().givers().contains(giver) ? 1 : 0;
    }
    int wanted = all.stream().mapToInt(each -> each.place().givers().size()).sum();
    if (received != wanted || faces.size() != wanted) {
      throw new AssertionError(
          "%d faces, of which %d are wanted, for %d halos of neighbours"
              .formatted(faces.size(), received, wanted));
    }
  }

  /** What one block gives to another, as bytes or, without them, directly. */
  private record Face(BlockFields giver, BlockFields taker, ByteBuffer packed) {}
}
