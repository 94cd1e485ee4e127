/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.FieldBox;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import io.sparkstencil.spark.files.zarr.ZarrLayout;
import io.sparkstencil.spark.grid.cells.CellPiece;
import io.sparkstencil.spark.grid.cells.FieldCells;
import io.sparkstencil.spark.grid.cells.FieldPieces;
import io.sparkstencil.spark.grid.cells.FileCells;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.cells.LoadBudget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SerializableWritable;
import org.apache.spark.util.SerializableConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** What first cells take of the heap, whatever the size of blocks and the number of tasks. */
final class FirstCellsBudgetTest {
  private static final Configuration HADOOP = new Configuration(false);
  private static final int TASKS = 16;
  private static final long BUDGET = 1 << 21;
  private static final List<Long> GRID = List.of(60L, 70L, 90L);

  @TempDir private Path folder;
  private final AtomicLong live = new AtomicLong();
  private final AtomicLong mostLive = new AtomicLong();

  /** What the cells of the grid are read from. */
  private enum Source {
    FUNCTION,
    NPY,
    ZARR_IN_SMALL_CHUNKS,
    ZARR_IN_CHUNKS_ACROSS_PIECES,
    ZARR_IN_ONE_CHUNK
  }

  private static double value(long index) {
    return index % 1001;
  }

  private static double[] cells() {
    return LongStream.range(0, 60 * 70 * 90).mapToDouble(FirstCellsBudgetTest::value).toArray();
  }

  private FieldCells cells(Source source) {
    String path = folder.resolve("cells").toString();
    FieldSource file =
        switch (source) {
          case FUNCTION -> null;
          case NPY -> {
            NpyFile.write(path, Extent.of(60, 70, 90), cells(), HADOOP);
            yield hadoop -> NpyFile.open(path, hadoop);
          }
          case ZARR_IN_SMALL_CHUNKS -> zarr(path, Extent.of(7, 8, 9));
          case ZARR_IN_CHUNKS_ACROSS_PIECES -> zarr(path, Extent.of(60, 3, 50));
          case ZARR_IN_ONE_CHUNK -> zarr(path, Extent.of(60, 70, 90));
        };
    return file == null
        ? () -> FirstCellsBudgetTest::computed
        : new FileCells(file, new SerializableConfiguration(HADOOP));
  }

  private static FieldSource zarr(String path, Extent chunks) {
    FieldWriter writer =
        ZarrArray.create(path, ZarrLayout.of(ElementType.F64, GRID, chunks), HADOOP);
    writer.write(Box.whole(Extent.of(60, 70, 90)), cells(), HADOOP);
    writer.commit(HADOOP);
    return hadoop -> ZarrArray.open(path, hadoop);
  }

  private static Object computed(Box box, ElementType type) {
    Object cells = type.newArray(box.cells());
    for (int i = 0; i < box.cells(); i++) {
      List<Long> at = box.position(i);
      double value = value((at.get(0) * 70 + at.get(1)) * 90 + at.get(2));
      if (cells instanceof float[] floats) {
        floats[i] = (float) value;
      } else {
        ((double[]) cells)[i] = value;
      }
    }
    return cells;
  }

  @ParameterizedTest
  @EnumSource
  void allTasksTogetherTakeNoMoreThanTheBudget(Source source) {
    LoadBudget budget = new LoadBudget(BUDGET, TASKS);
    FirstCells pieces = new FieldPieces(0, cells(source));
    List<DroppedCells> blocks =
        IntStream.range(0, TASKS).mapToObj(i -> new DroppedCells(GRID, live, mostLive)).toList();
    ExecutorService threads = Executors.newFixedThreadPool(TASKS);
    try {
      blocks.stream()
          .map(
              block ->
                  CompletableFuture.runAsync(
                      () -> pieces.load(block, ElementType.F32, budget), threads))
          .toList()
          .forEach(CompletableFuture::join);
    } finally {
      threads.shutdown();
    }

    double sum = LongStream.range(0, 60 * 70 * 90).mapToDouble(FirstCellsBudgetTest::value).sum();
    assertThat(blocks)
        .allSatisfy(
            block -> {
              assertThat(block.loaded()).isEqualTo(60 * 70 * 90);
              assertThat(block.sum()).isEqualTo(sum);
            });
    boolean decodesAtOnce = source == Source.ZARR_IN_ONE_CHUNK;
    long oneChunk = 60L * 70 * 90 * 5 * Double.BYTES; // larger than the budget: one after the other
    assertThat(budget.mostTaken())
        .isPositive()
        .isLessThanOrEqualTo(decodesAtOnce ? oneChunk : BUDGET);
    assertThat(mostLive.get()).isPositive().isLessThanOrEqualTo(budget.mostTaken());
  }

  /** A copy of the block would be larger than the heap of the tests. */
  @Test
  void aBlockThatDoesNotFitTheHeapIsLoadedFromAFunction() {
    List<Long> grid = List.of(300L, 1024L, 1024L);
    long cells = 300L * 1024 * 1024;
    assertThat(cells * Double.BYTES).isGreaterThan(Runtime.getRuntime().maxMemory());
    LoadBudget budget = LoadBudget.beside(1 << 26, 4);
    DroppedCells block = new DroppedCells(grid, live, mostLive);
    FieldCells ones =
        () ->
            (box, type) -> {
              double[] piece = new double[box.cells()];
              java.util.Arrays.fill(piece, 1);
              return piece;
            };

    new FieldPieces(0, ones).load(block, ElementType.F64, budget);

    assertThat(block.loaded()).isEqualTo(cells);
    assertThat(block.sum()).isEqualTo(cells);
    assertThat(budget.mostTaken()).isLessThanOrEqualTo(budget.bytes());
  }

  @Test
  void rowsOfABlockThatDoesNotFitTheHeapBecomePiecesOneByOne() {
    Box box = Box.whole(Extent.of(300, 1024, 1024));
    AtomicLong taken = new AtomicLong();
    Iterator<Tuple2<Long, long[]>> rows =
        IntStream.iterate(5, cell -> cell >= 0 && cell < box.cells(), cell -> cell + 1009)
            .peek(cell -> taken.incrementAndGet())
            .mapToObj(
                cell -> new Tuple2<>(ToBlocks.key(3, cell), new long[] {bits(cell), bits(-1)}))
            .iterator();

    Iterator<FirstCells> pieces = GridRows.place(box, rows, List.of(0, 2), ElementType.F64);
    long cells = 0;
    double sum = 0;
    while (pieces.hasNext()) {
      CellPiece piece = (CellPiece) pieces.next();
      assertThat(piece.box().cells()).isLessThanOrEqualTo(GridSources.PIECE_CELLS);
      assertThat(piece.fields()).containsExactly(0, 2);
      double[] u = (double[]) piece.arrays().get(0);
      for (int i = 0; i < u.length; i++) {
        boolean given = (cells + i) % 1009 == 5;
        assertThatCell(u[i] == (given ? cells + i : 0), cells + i);
        sum += ((double[]) piece.arrays().get(1))[i];
      }
      cells += u.length;
      assertThat(taken.get()).isLessThanOrEqualTo(cells / 1009 + 2);
    }
    assertThat(cells).isEqualTo(box.cells());
    assertThat(sum).isEqualTo(-Math.ceil((box.cells() - 5) / 1009.0));
  }

  private static void assertThatCell(boolean right, long cell) {
    if (!right) {
      throw new AssertionError("cell " + cell);
    }
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  @Test
  void refusesTwoRowsOfACell() {
    Box box = new Box(List.of(10L, 20L), Extent.of(3, 4));
    List<Tuple2<Long, long[]>> rows = new ArrayList<>();
    for (int cell : new int[] {2, 7, 7}) {
      rows.add(new Tuple2<>(ToBlocks.key(0, cell), new long[] {0}));
    }
    Iterator<FirstCells> pieces = GridRows.place(box, rows.iterator(), List.of(0), ElementType.F32);

    assertThatThrownBy(pieces::next)
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("two rows of a grid have the position [11, 23]");
  }

  @Test
  void boxesBecomePiecesOneByOne() {
    Box block = Box.whole(Extent.of(3, 300, 300));
    List<Box> places = block.pieces(GridSources.PIECE_CELLS);
    assertThat(places).hasSizeGreaterThan(3);
    List<Tuple2<Long, SerializableWritable<Packed<FieldBox>>>> parts = new ArrayList<>();
    int first = 0;
    for (Box place : places) {
      Box part = new Box(place.origin(), Extent.of(1, 1, 300));
      float[] cells = new float[300];
      java.util.Arrays.fill(cells, first);
      parts.add(
          new Tuple2<>(ToBlocks.key(0, first), Packed.of(new FieldBox(part, Map.of("u", cells)))));
      first += place.cells();
    }

    Iterator<FirstCells> pieces =
        GridBoxes.place(block, parts.iterator(), Map.of(1, "u"), ElementType.F64);
    first = 0;
    for (Box place : places) {
      CellPiece piece = (CellPiece) pieces.next();
      assertThat(piece.box()).isEqualTo(place);
      double[] u = (double[]) piece.arrays().get(0);
      assertThat(u[299]).isEqualTo(first);
      assertThat(u[300]).isZero();
      first += place.cells();
    }
    assertThat(pieces).isExhausted();
  }
}
