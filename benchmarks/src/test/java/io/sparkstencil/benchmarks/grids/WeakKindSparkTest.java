/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.benchmarks.grids.WeakProblem.WeakSettings;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WeakKindSparkTest {
  @Test
  void facesGoTheWayThatTheRowSays() {
    List<WeakKind> kinds = WeakKind.of(2, 500);

    assertThat(kinds)
        .extracting(WeakKind::path)
        .containsExactly(
            "", "peer", "shared", "shared", "shared", "pushed", "pushed", "pushed", "log");
    assertThat(kinds)
        .extracting(WeakKind::subject)
        .doesNotHaveDuplicates()
        .contains("2 executors, one GPU each, IPC, a checkpoint every 500 steps");
    assertThat(WeakKind.of(8, 500))
        .as("four of eight")
        .contains(
            new WeakKind(
                "4 executors, one GPU each, IPC off",
                4,
                4,
                WeakKind.Way.PUSHED,
                WeakKind.Log.USUAL));
    assertThat(kinds)
        .allSatisfy(
            kind ->
                assertThat(kind.settings())
                    .containsEntry(
                        "spark.stencil.grid.push.enabled",
                        Boolean.toString(!kind.path().equals("log")))
                    .containsEntry(
                        "spark.stencil.grid.ipc.enabled",
                        Boolean.toString(!kind.subject().contains("off"))));
    assertThat(kinds)
        .filteredOn(kind -> kind.settings().containsKey("spark.network.crypto.enabled"))
        .singleElement()
        .satisfies(kind -> assertThat(kind.subject()).contains("AES"));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2x2x2, a grid of 2 axes cannot grow 2x2x2 times along them; give at most 2 numbers",
    "3, 2x0, a grid of 3 axes cannot grow 2x0 times along them"
  })
  void aGridDoesNotGrowAlongAxesThatItDoesNotHave(int axes, String grows, String message) {
    List<Integer> along = Stream.of(grows.split("x")).map(Integer::valueOf).toList();
    WeakSettings settings =
        new WeakSettings(
            "cpu", along, OptionalInt.empty(), OptionalInt.empty(), 0, "", 0, 0.01, 1, 512);

    assertThatThrownBy(() -> WeakProblem.of(axes, ElementType.F64, 1728, settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  /** The CPU takes the steps, so that faces do not go as they do between GPUs. */
  @Test
  void rowsHaveTheirCellsComparedAndForecastsBesideThem() throws Exception {
    List<BenchmarkRow> rows = new ArrayList<>();
    WeakSettings settings =
        new WeakSettings(
            "cpu", List.of(1, 2), OptionalInt.of(2), OptionalInt.of(4), 8, "", 0, 0.01, 2, 512);

    new WeakRows(WeakProblem.of(3, ElementType.F64, 1728, settings), rows::add)
        .measure(WeakKind.of(2, 8), ".*one executor|.*checkpoint every 8 steps");

    assertThat(rows)
        .extracting(BenchmarkRow::subject)
        .containsExactly(
            "1 GPU",
            "2 GPUs, one executor",
            "2 executors, one GPU each, IPC, a checkpoint every 8 steps");
    assertThat(rows).allMatch(BenchmarkRow::checked);
    assertThat(rows).extracting(BenchmarkRow::name).containsOnly("grid/heat/3d/f64/weak/1x2");
    assertThat(rows.get(0).note()).startsWith("[12, 12, 12] cells in");
    assertThat(rows.subList(1, 3))
        .allSatisfy(
            row ->
                assertThat(row.note())
                    .startsWith("[12, 24, 12] cells in")
                    .containsPattern("forecast \\d\\.\\d\\d times one GPU, [+-]"));
    assertThat(rows.get(2).note())
        .contains("; checkpoints of 0.00 GB, 8 steps from one to the next, ")
        .doesNotContain(" 0 checkpoints");
  }

  @Test
  void theTimeOfCoresIsThatOfAllThreads() throws Exception {
    try (SparkSession spark = LocalSpark.session("cores", "local[1]").getOrCreate()) {
      ExecutorsCpu cpu = new ExecutorsCpu(spark, 1);
      Thread worker = new Thread(WeakKindSparkTest::work);
      worker.start();
      worker.join();

      assertThat(cpu.seconds()).isBetween(0.2, 60.0);
    }
  }

  private static void work() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(400)) {
      Thread.onSpinWait();
    }
  }
}
