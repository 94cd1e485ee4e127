/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A block in a file has the cells, and gives the faces, of one on the heap. */
final class BlockFileTest {
  private static final StencilProgram HEAT =
      ProgramText.parse("u' = u + k[0,0]*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)");

  /** More than a megabyte, so that it is written in several pieces. */
  private static final List<Long> SIZES = List.of(600L, 700L);

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("block");
  }

  private static FacePlan plan(ElementType type) {
    StepReach reach = StepReach.of(HEAT);
    return FacePlan.of(GridBlocks.cut(SIZES, 2, reach), reach, 3, HEAT.fields().size(), type);
  }

  private static Object cells(Box box, ElementType type, int first) {
    Object cells = type.newArray(box.cells());
    for (int i = 0; i < box.cells(); i++) {
      if (cells instanceof float[] floats) {
        floats[i] = first + i;
      } else {
        ((double[]) cells)[i] = first + i;
      }
    }
    return cells;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 128, 256})
  void cellsAreInPlainTextOnlyWhereTheyAreNotToBeEncrypted(int keyBits) throws IOException {
    FacePlan plan = plan(ElementType.F64);
    Box own = plan.extended(0).own();
    double[] cells = new double[own.cells()];
    Arrays.setAll(cells, i -> 1000 + i);
    try (BlockFile file = new BlockFile(path, plan, 0, 1, keyBits)) {
      file.load(0, cells);

      Set<Long> stored = new HashSet<>();
      LongBuffer words =
          ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.nativeOrder()).asLongBuffer();
      while (words.hasRemaining()) {
        stored.add(words.get());
      }
      assertThat(
              Arrays.stream(cells)
                  .filter(cell -> stored.contains(Double.doubleToRawLongBits(cell))))
          .hasSize(keyBits == 0 ? cells.length : 0);
      assertThat(file.cells(0, own)).isEqualTo(cells);
      if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
            .isEqualTo("rw-------");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"F32", "F64"})
  void facesAndCellsAreThoseOfABlockOnTheHeap(ElementType type) {
    FacePlan plan = plan(type);
    ExtendedBlock first = plan.extended(0);
    ExtendedBlock second = plan.extended(1);
    BlockArrays heap = new BlockArrays(type, first, 2);
    try (BlockFile file = new BlockFile(path, plan, 0, 1, 128)) {
      for (int field = 0; field < 2; field++) {
        heap.load(field, cells(first.own(), type, field));
        file.load(field, cells(first.own(), type, field));
      }

      assertThat(file.pack(second, 0, 1)).isEqualTo(heap.pack(second, 0, 1));
      assertThat(file.pack(second, 1, 2)).isEqualTo(heap.pack(second, 1, 2));
      Box part = Box.between(List.of(5L, 7L), List.of(9L, 300L));
      assertThat(file.cells(1, part)).isEqualTo(heap.cells(1, part));
      assertThat(file.diskBytes()).isGreaterThan(heap.heapBytes());
      assertThat(file.heapBytes()).isZero();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void cellsThatAreLiftedHaveTheirHaloAndStayWhereACopyIsRead() {
    FacePlan plan = plan(ElementType.F64);
    ExtendedBlock first = plan.extended(0);
    BlockArrays beside = new BlockArrays(ElementType.F64, plan.extended(1), 2);
    beside.load(0, cells(plan.extended(1).own(), ElementType.F64, 1000));
    BlockArrays expected = new BlockArrays(ElementType.F64, first, 2);
    AtomicInteger closed = new AtomicInteger();
    BlockFields lifted;
    try (BlockFile file = new BlockFile(path, plan, 0, 1, 128)) {
      for (BlockFields each : List.of(file, expected)) {
        each.load(0, cells(first.own(), ElementType.F64, 0));
        each.take(beside, 0, 1);
        each.fillOwnImages(0, 1);
      }
      lifted = file.lift(closed::incrementAndGet).orElseThrow();
      file.copy(0);
      assertThat(file.lift(closed::incrementAndGet)).isEmpty();
    }

    assertThat(((BlockArrays) lifted).array(0)).isEqualTo(expected.array(0));
    assertThat(closed).hasValue(0);
    lifted.close();
    assertThat(closed).hasValue(1);
  }

  @Test
  void aHaloIsThereWhenTheCellsAreInMemory() {
    FacePlan plan = plan(ElementType.F64);
    BlockArrays heap = new BlockArrays(ElementType.F64, plan.extended(1), 2);
    heap.load(0, cells(plan.extended(1).own(), ElementType.F64, 1000));
    try (BlockFile file = new BlockFile(path, plan, 0, 1, 128)) {
      file.load(0, cells(plan.extended(0).own(), ElementType.F64, 0));
      file.take(heap, 0, 1);

      BlockArrays expected = new BlockArrays(ElementType.F64, plan.extended(0), 2);
      expected.load(0, cells(plan.extended(0).own(), ElementType.F64, 0));
      expected.take(heap, 0, 1);
      file.inMemory(
          fields ->
              assertThat(((BlockArrays) fields).array(0))
                  .as("own cells and halo")
                  .isEqualTo(expected.array(0)));
    }
  }

  @Test
  void aCopyStaysAsItIsWhenTheCellsChange() {
    FacePlan plan = plan(ElementType.F64);
    Box own = plan.extended(0).own();
    Object before = cells(own, ElementType.F64, 0);
    try (BlockFile file = new BlockFile(path, plan, 0, 1, 128)) {
      file.load(0, before);
      Supplier<Object> copy = file.copy(0);
      file.load(0, cells(own, ElementType.F64, 5));

      assertThat(copy.get()).isEqualTo(before);
      assertThat(file.cells(0, own)).isEqualTo(cells(own, ElementType.F64, 5));
    }
  }

  @Test
  void aFileThatIsGoneFailsWithAdvice() throws IOException {
    FacePlan plan = plan(ElementType.F32);
    try (BlockFile file = new BlockFile(path, plan, 0, 1, 128)) {
      file.load(0, cells(plan.extended(0).own(), ElementType.F32, 0));
      Files.delete(path);

      assertThatThrownBy(() -> file.inMemory(fields -> {}))
          .isInstanceOf(StencilException.class)
          .hasMessageContaining("cannot wait in " + path)
          .hasMessageContaining("spark.local.dir");
    }
  }

  @Test
  void aFileThatEndsEarlyFails() throws IOException {
    FacePlan plan = plan(ElementType.F32);
    try (BlockFile file = new BlockFile(path, plan, 0, 1, 128)) {
      file.load(0, cells(plan.extended(0).own(), ElementType.F32, 0));
      Files.write(path, Arrays.copyOf(Files.readAllBytes(path), 1000));

      assertThatThrownBy(() -> file.cells(0, plan.extended(0).own()))
          .isInstanceOf(StencilException.class)
          .hasMessageContaining("it ends after");
    }
  }

  @Test
  void aFaceOfNoFieldsIsEmpty() {
    FacePlan plan = plan(ElementType.F32);
    try (BlockFile file = new BlockFile(path, plan, 0, 2, 0)) {
      file.load(0, cells(plan.extended(0).own(), ElementType.F32, 0));

      assertThat(file.pack(plan.extended(1), 2, 2)).isEqualTo(ByteBuffer.allocate(0));
    }
  }
}
