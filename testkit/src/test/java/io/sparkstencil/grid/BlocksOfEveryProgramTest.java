/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.testkit.programs.ProgramConformance;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs at random, on grids that are cut into 1 to 37 blocks, many of them narrower than the
 * program reaches, have the bits of the reference on the whole grid.
 */
final class BlocksOfEveryProgramTest {
  private static final int CASES = Integer.getInteger("stencil.grid.cases", 150);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void blocksHaveTheBitsOfTheWholeGridOnTheCpu(long seed) {
    Random random = new Random(seed);
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) -> {
          CpuProgram compiled = CpuProgram.compile(program, Map.of());
          run(
              program,
              arrays,
              parameters,
              steps,
              random,
              (cells, values, n) -> compiled.run(cells, values, n, 1));
        },
        seed,
        CASES);
  }

  @ParameterizedTest
  @ValueSource(longs = 4)
  void blocksHaveTheBitsOfTheWholeGridOnTheReference(long seed) {
    Random random = new Random(seed);
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) ->
            run(
                program,
                arrays,
                parameters,
                steps,
                random,
                (cells, values, n) -> ProgramReference.run(program, cells, values, n)),
        seed,
        CASES / 5);
  }

  private static void run(
      StencilProgram program,
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      Random random,
      BlockSteps.Runner runner) {
    StepReach reach = StepReach.of(program);
    List<Long> sizes = arrays.placement().grid();
    GridBlocks blocks = GridBlocks.cut(sizes, 1 + random.nextInt(37), reach);
    int atOnce = 1 + random.nextInt(4);
    HaloPlan plan = HaloPlan.of(blocks, reach, atOnce, program.fields().size(), arrays.type());
    List<BlockArrays> all = new ArrayList<>();
    Box whole = Box.whole(arrays.extent());
    for (int block = 0; block < blocks.count(); block++) {
      BlockArrays cells =
          new BlockArrays(arrays.type(), plan.extended(block), program.fields().size());
      for (int field = 0; field < program.fields().size(); field++) {
        Object own = arrays.type().newArray(blocks.box(block).cells());
        CellBoxes.copy(
            arrays.arrays().get(field), whole, own, blocks.box(block), blocks.box(block));
        cells.load(field, own);
      }
      all.add(cells);
    }
    for (int done = 0; done < steps; done += atOnce) {
      int fields = done == 0 ? program.fields().size() : program.updates().size();
      exchange(plan, all, fields);
      for (BlockArrays cells : all) {
        new BlockSteps(program, cells.place(), parameters, List.of(), List.of())
            .run(cells, done, Math.min(atOnce, steps - done), runner);
      }
    }
    for (BlockArrays cells : all) {
      Box own = cells.place().own();
      for (int field = 0; field < program.fields().size(); field++) {
        CellBoxes.copy(cells.cells(field, own), own, arrays.arrays().get(field), whole, own);
      }
    }
  }

  private static void exchange(HaloPlan plan, List<BlockArrays> all, int fields) {
    List<Map.Entry<int[], ByteBuffer>> faces = new ArrayList<>();
    for (int source = 0; source < all.size(); source++) {
      for (int target : plan.targets(source)) {
        ByteBuffer packed = all.get(source).pack(all.get(target).place(), 0, fields);
        faces.add(Map.entry(new int[] {source, target}, packed));
      }
    }
    all.forEach(BlockArrays::fillOwnImages);
    int received = 0;
    for (Map.Entry<int[], ByteBuffer> face : faces) {
      BlockArrays target = all.get(face.getKey()[1]);
      target.unpack(face.getKey()[0], 0, fields, face.getValue());
      received += target.place().sources().contains(face.getKey()[0]) ? 1 : 0;
    }
    int wanted = all.stream().mapToInt(each -> each.place().sources().size()).sum();
    if (received != wanted || faces.size() != wanted) {
      throw new AssertionError(
          "%d faces, of which %d are wanted, for %d halos of neighbours"
              .formatted(faces.size(), received, wanted));
    }
  }
}
