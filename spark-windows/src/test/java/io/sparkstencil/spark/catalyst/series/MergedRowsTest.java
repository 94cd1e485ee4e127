/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

final class MergedRowsTest {
  private static final Comparator<InternalRow> ORDER =
      Comparator.comparingLong(row -> row.getLong(0));

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 13, 64, 100})
  void rowsComeInOrderAndThoseThatTieInTheOrderOfTheirRuns(int count) {
    Random random = new Random(count);
    for (int round = 0; round < 20; round++) {
      List<List<Long>> runs = new ArrayList<>();
      for (int run = 0; run < count; run++) {
        int length = random.nextInt(3) == 0 ? 0 : random.nextInt(50);
        runs.add(random.longs(length, 0, 1 + random.nextInt(100)).sorted().boxed().toList());
      }

      List<List<Long>> merged = merged(runs);

      // Of each row its number and its run: a stable sort of the runs one after the other.
      List<List<Long>> expected = new ArrayList<>();
      for (int run = 0; run < count; run++) {
        for (long number : runs.get(run)) {
          expected.add(List.of(number, (long) run));
        }
      }
      expected.sort(Comparator.comparingLong(row -> row.get(0)));
      assertThat(merged).isEqualTo(expected);
    }
  }

  private static List<List<Long>> merged(List<List<Long>> runs) {
    List<Iterator<InternalRow>> iterators = new ArrayList<>();
    for (int run = 0; run < runs.size(); run++) {
      iterators.add(rows(runs.get(run), run));
    }
    MergedRows rows = new MergedRows(iterators, ORDER);
    List<List<Long>> merged = new ArrayList<>();
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      merged.add(List.of(row.getLong(0), row.getLong(1)));
    }
    assertThatThrownBy(rows::next).isInstanceOf(NoSuchElementException.class);
    return merged;
  }

  /** Returns rows in one place: each is there until the next. */
  private static Iterator<InternalRow> rows(List<Long> numbers, int run) {
    UnsafeRow row = UnsafeRow.createFromByteArray(24, 2);
    Stream<InternalRow> rows =
        numbers.stream()
            .map(
                number -> {
                  row.setLong(0, number);
                  row.setLong(1, run);
                  return row;
                });
    return CollectionConverters.asScala(rows.iterator());
  }
}
