/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

final class RowHashesTest {
  private static final long[] SEEDS = {1, 2};

  private static List<Long> sums(Row... rows) {
    return Arrays.stream(RowHashes.sums(rows, SEEDS)).boxed().toList();
  }

  private static Row row(Object... values) {
    return RowFactory.create(values);
  }

  private static Seq<Object> array(Object... elements) {
    return CollectionConverters.asScala(Arrays.asList(elements)).toSeq();
  }

  private static scala.collection.Map<String, String> map(String key, String value) {
    return CollectionConverters.asScala(Map.of(key, value));
  }

  @Test
  void rowsInAnyOrderHaveOneSum() {
    Row[] rows = {row(1L, "a", 0.5), row(2L, null, -0.5), row(1L, "a", 0.5)};

    assertThat(sums(rows[2], rows[1], rows[0])).isEqualTo(sums(rows));
    assertThat(sums(row(Double.longBitsToDouble(0x7ff8000000000001L))))
        .as("all NaN are alike")
        .isEqualTo(sums(row(Double.NaN)));
  }

  /** Tables that differ in one thing. */
  private static Row[][] tables() {
    return new Row[][] {
      {},
      {row((Object) null)},
      {row("null")},
      {row("")},
      {row(new byte[0])},
      {row("0")},
      {row(0L)},
      {row(0.0)},
      {row(-0.0)},
      {row(0f)},
      {row(-0f)},
      {row(Double.NaN)},
      {row(Float.NaN)},
      {row(false)},
      {row("false")},
      {row(new BigDecimal("0.5"))},
      {row("0.5")},
      {row(array())},
      {row(array((Object) null))},
      {row(array("null"))},
      {row(array("a", "b"))},
      {row(array("a, b"))},
      {row(array("a"), "b")}, // an array ends with its elements
      {row(array(array("a"), array("b")))},
      {row(array(array("a", "b")))},
      {row(row("a", "b"))},
      {row(row("a,b"))},
      {row(row((Object) null))},
      {row(map("a", "b"))},
      {row(map("a -> b", ""))},
      {row(CollectionConverters.asScala(Map.of()))},
      {row(0L), row(0L)}, // twice is not once, and not nothing
      {row(0L), row(0L), row(0L)},
      {row(null, null)},
      {row(1L, 2L)},
      {row(2L, 1L)}, // columns are in order, rows are not
      {row(1L, 1L), row(2L, 2L)},
      {row(1L, 2L), row(2L, 1L)}, // values of a column are with their rows
      {row("a", "bc")},
      {row("ab", "c")}, // text ends with its column
      {row("a bc", "")},
      {row(null, 0L)},
      {row(0L, null)},
    };
  }

  @Test
  void whatDiffersInOneThingHasAnotherSumForEachSeed() {
    Row[][] tables = tables();
    for (int seed = 0; seed < SEEDS.length; seed++) {
      Set<Long> all = new HashSet<>();
      for (Row[] table : tables) {
        all.add(sums(table).get(seed));
      }
      assertThat(all).hasSize(tables.length);
    }
  }

  @Test
  void whatDiffersInOneThingHasOtherWords() {
    assertThat(Arrays.stream(tables()).map(RowBits::sorted)).doesNotHaveDuplicates();
  }
}
