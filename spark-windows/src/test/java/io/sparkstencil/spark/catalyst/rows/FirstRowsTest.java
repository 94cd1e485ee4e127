/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first rows of random series are those that sorting all of them gives. */
final class FirstRowsTest {
  private record Cell(int key, int id) {
    UnsafeRow row() {
      UnsafeRow row = UnsafeRow.createFromByteArray(24, 2);
      row.setInt(0, key);
      row.setInt(1, id);
      return row;
    }
  }

  @ParameterizedTest
  @EnumSource
  void sameAsSortingAll(RankLimit.Kind kind) {
    for (int seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      int keys = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
      int most = 1 + random.nextInt(random.nextBoolean() ? 4 : 30);
      List<Cell> cells = new ArrayList<>();
      int count = 1 + random.nextInt(300);
      for (int id = 0; id < count; id++) {
        cells.add(new Cell(random.nextInt(keys), id));
      }
      if (random.nextInt(3) == 0) {
        cells.sort(Comparator.comparing(Cell::key, Comparator.reverseOrder()));
      }
      int scale = 1 + random.nextInt(3); // keys that differ may have the same prefix
      assertThat(first(cells, new RankLimit(kind, most), scale))
          .as("seed %d", seed)
          .isEqualTo(expected(cells, kind, most));
    }
  }

  private static List<Integer> first(List<Cell> cells, RankLimit limit, int scale) {
    FirstRows rows =
        new FirstRows(limit, (row, kept) -> Integer.compare(row.getInt(0), kept.getInt(0)));
    for (Cell cell : cells) {
      UnsafeRow row = cell.row();
      long prefix = cell.key() / scale;
      if (rows.mayWant(row, prefix)) {
        if (rows.isFull()) {
          rows.trim(unwanted -> unwanted.set(row, -1)); // as if it held another row
        }
        FirstRows.Kept kept = new FirstRows.Kept(2);
        kept.set(row, prefix);
        rows.add(kept);
      }
    }
    rows.trim(unwanted -> {});
    return IntStream.range(0, rows.count()).mapToObj(i -> rows.row(i).getInt(1)).toList();
  }

  private static List<Integer> expected(List<Cell> cells, RankLimit.Kind kind, int most) {
    List<Cell> sorted = new ArrayList<>(cells);
    sorted.sort(Comparator.comparing(Cell::key)); // stable
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      int key = sorted.get(i).key();
      long rank =
          switch (kind) {
            case ROW_NUMBER -> i + 1;
            case RANK -> 1 + sorted.stream().filter(cell -> cell.key() < key).count();
            case DENSE_RANK ->
                sorted.stream().map(Cell::key).filter(k -> k <= key).distinct().count();
          };
      if (rank <= most) {
        ids.add(sorted.get(i).id());
      }
    }
    return ids;
  }
}
