/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** Blocks of a program with two fields, whose halos a test fills on devices and on the heap. */
final class FaceBlocks {
  static final ElementType TYPE = ElementType.F32;
  static final FacePlan PLAN = plan("40x50", 2);
  private static final int STEPS = 2;

  private FaceBlocks() {}

  private static StencilProgram program(int dimensions) {
    String text =
        List.of(
                "u' = 0.5*u[-1] + 0.25*v[2]; v' = v + 0.5*u[1]",
                "u' = 0.5*u[-1,0] + 0.25*v[1,2]; v' = v[0,0] + 0.5*u[0,-1]",
                "u' = 0.5*u[-1,0,1] + 0.25*v[0,2,0]; v' = v[0,0,0] + 0.5*u[0,-1,-1]")
            .get(dimensions - 1);
    return ProgramText.parse(text).withBoundary(Boundary.WRAP);
  }

  /** Returns a grid of {@code 10x20} cells, or more axes, in some blocks. */
  static FacePlan plan(String sizes, int blocks) {
    List<Long> cells = Arrays.stream(sizes.split("x")).map(Long::valueOf).toList();
    StepReach reach = StepReach.of(program(cells.size()));
    return FacePlan.of(GridBlocks.cut(cells, blocks, reach), reach, STEPS, 2, TYPE);
  }

  /** Returns a block on a device, with cells at random. */
  static BlockFields on(GpuPrograms engine, FacePlan plan, int block, Random random) {
    ExtendedBlock place = plan.extended(block);
    BlockFields fields =
        engine.hold(program(place.own().dimensions()), TYPE, place, true).orElseThrow();
    load(fields, random);
    return fields;
  }

  /** Sets all cells at random. */
  static void load(BlockFields fields, Random random) {
    for (int field = 0; field < 2; field++) {
      float[] cells = new float[fields.place().own().cells()];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = random.nextFloat();
      }
      fields.load(field, cells);
    }
  }

  /**
   * Checks that blocks whose halos a test fills have the bits of those on the heap two steps later.
   *
   * @param maker makes a block with cells at random
   * @param exchange fills the halo of the first block with cells of the second
   */
  static void requireSameHalos(
      FacePlan plan,
      BiFunction<Integer, Random, BlockFields> maker,
      BiConsumer<BlockFields, BlockFields> exchange) {
    List<BlockFields> actual = new ArrayList<>();
    List<BlockFields> expected = new ArrayList<>();
    for (int block = 0; block < plan.blocks().count(); block++) {
      actual.add(maker.apply(block, new Random(block)));
      BlockArrays onHeap = new BlockArrays(TYPE, plan.extended(block), 2);
      load(onHeap, new Random(block));
      expected.add(onHeap);
    }
    for (int block = 0; block < actual.size(); block++) {
      actual.get(block).fillOwnImages(0, 2);
      expected.get(block).fillOwnImages(0, 2);
      for (int giver : plan.extended(block).givers()) {
        exchange.accept(actual.get(block), actual.get(giver));
        expected.get(block).take(expected.get(giver), 0, 2);
      }
    }
    for (int block = 0; block < actual.size(); block++) {
      assertThat(stepped(actual.get(block)))
          .as("the fields of block %d", block)
          .isEqualTo(stepped(expected.get(block)));
    }
    actual.forEach(BlockFields::close);
  }

  /** Takes two steps; returns the bits of the cells of both fields. */
  static List<Object> stepped(BlockFields fields) {
    Box own = fields.place().own();
    CpuProgram program = CpuProgram.compile(program(own.dimensions()), Map.of());
    fields.step(
        ParameterValues.NONE, STEPS, (cells, values, n) -> program.run(cells, values, n, 1));
    return List.of(bits(fields.cells(0, own)), bits(fields.cells(1, own)));
  }

  private static ByteBuffer bits(Object cells) {
    float[] floats = (float[]) cells;
    ByteBuffer bits = ByteBuffer.allocate(floats.length * Float.BYTES);
    bits.asFloatBuffer().put(floats);
    return bits;
  }

  /**
   * Returns what block 1 of two must have after two steps.
   *
   * @param seed of the cells of block 0; those of block 1 have 1
   */
  static List<Object> expected(FacePlan plan, long seed) {
    BlockArrays giver = new BlockArrays(TYPE, plan.extended(0), 2);
    load(giver, new Random(seed));
    BlockArrays taker = new BlockArrays(TYPE, plan.extended(1), 2);
    load(taker, new Random(1));
    taker.fillOwnImages(0, 2);
    taker.take(giver, 0, 2);
    return stepped(taker);
  }

  /** Returns what makes blocks on two devices in turn. */
  static BiFunction<Integer, Random, BlockFields> inTurn(
      GpuPrograms first, GpuPrograms second, FacePlan plan) {
    return (block, random) -> on(block % 2 == 0 ? first : second, plan, block, random);
  }

  /** Requires the same of blocks that lie on two devices in turn, and that faces go directly. */
  static void requireSameHalosOn(GpuPrograms first, GpuPrograms second, FacePlan plan) {
    requireSameHalos(
        plan,
        inTurn(first, second, plan),
        (taker, giver) ->
            assertThat(taker.take(giver, 0, 2))
                .isEqualTo(
                    taker.place().block() % 2 == giver.place().block() % 2
                        ? FacePath.DEVICE
                        : FacePath.PEER));
  }
}
