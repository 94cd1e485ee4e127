/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.faces.Pushes;
import io.sparkstencil.spark.grid.tasks.LateTickets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Executors push faces to each other; where that fails they take them from the log. */
@Timeout(300)
final class GridPushSparkTest {
  private static GridCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new GridCluster(2);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    cluster.session().sparkContext().conf().remove(StencilOptions.GRID_LOG_BYTES.key());
    cluster.awaitEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, F64, 5, reflect", "2, F32, 7, wrap", "3, F32, 6, wrap"})
  void facesArePushedAndTheDriverHearsOfNone(
      int axes, ElementType type, int blocks, String boundary) throws Exception {
    WholeGrid whole = WholeGrid.heat(axes, type, Boundary.parse(boundary));
    PushedGrids.pushAndTellNobody(cluster, 2, whole, blocks, false);
  }

  /** Blocks give faces to others that they take none of, and are ahead of them. */
  @Test
  void oneSidedNeighboursPush() throws Exception {
    PushedGrids.pushAndTellNobody(cluster, 2, WholeGrid.wind(), 6, false);
  }

  @Test
  void aKilledExecutorComesBackFromTheLogThatOnlyItsNeighboursKnowOf() {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    Killer killer = new Killer();
    try (StencilGrid grid = PushedGrids.create(cluster, whole, 6, killer)) {
      StencilGrid first = grid.step(20L * PushedGrids.STEPS);
      List<String> places = first.executors();
      killer.killAfter(3, cluster.processesByLocation(places).get(places.get(0)));

      StencilGrid after = first.step(20L * PushedGrids.STEPS);

      assertThat(killer.isDone()).isTrue();
      assertThat(after.read("u")).isEqualTo(whole.after(40L * PushedGrids.STEPS));
      List<String> now = after.executors();
      assertThat(after.metrics().replays().keySet())
          .as("those of the executor that was killed, but for those that have moved since")
          .isNotEmpty()
          .allMatch(
              block ->
                  places.get(block).equals(places.get(0))
                      || !now.get(block).equals(places.get(block)));
    }
  }

  /** Without a log all blocks begin again. */
  @Test
  void aLossWithoutALogLeavesTheBits() {
    WholeGrid whole = WholeGrid.heat(2, ElementType.F32, Boundary.WRAP);
    Killer killer = new Killer();
    cluster.session().sparkContext().conf().set(StencilOptions.GRID_LOG_BYTES.key(), "1");
    try (StencilGrid grid = PushedGrids.create(cluster, whole, 4, killer)) {
      StencilGrid first = grid.step(20L * PushedGrids.STEPS);
      long pushed = first.metrics().faces().get("pushed");
      long logged = first.metrics().logBytes();
      StencilGrid second = first.step(20L * PushedGrids.STEPS);
      assertThat(second.metrics().logBytes()).as("nothing is logged").isEqualTo(logged);
      assertThat(second.metrics().faces().get("pushed")).isGreaterThan(pushed);
      assertThat(second.metrics().replayedSupersteps()).isZero();
      killer.killAfter(3, GridCluster.processes().get(0));

      assertThat(second.step(20L * PushedGrids.STEPS).read("u"))
          .isEqualTo(whole.after(60L * PushedGrids.STEPS));
      assertThat(killer.isDone()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"16g", "1"})
  void connectionsThatAreCutCostNoBlockItsCells(String logBytes) throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    cluster.session().sparkContext().conf().set(StencilOptions.GRID_LOG_BYTES.key(), logBytes);
    try (StencilGrid grid = PushedGrids.create(cluster, whole, 6, progress -> {})) {
      StencilGrid before = grid.step(6L * PushedGrids.STEPS);
      long logged = before.metrics().faces().get("log");
      Pushes.cutFor(cluster.spark(), 2, 2000);
      long start = System.nanoTime();

      StencilGrid after = before.step(60L * PushedGrids.STEPS);

      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
      assertThat(after.read("u")).isEqualTo(whole.after(66L * PushedGrids.STEPS));
      assertThat(after.metrics().replayedSupersteps()).isZero();
      assertThat(after.metrics().faces().get("log")).isGreaterThan(logged);
    }
  }

  /** Spark copies what an executor has that is about to end, tickets as well. */
  @Test
  void aTicketTakesThePlaceOfItsCopiesElsewhere() throws InterruptedException {
    List<String> executors = List.copyOf(cluster.executors().keySet());
    assertThat(Pushes.replaced(cluster.spark(), executors)).containsOnly("of the next one");
  }

  /** It is stopped for four seconds. */
  @Test
  void nobodyWaitsForAnExecutorThatIsLateToSayWhereItsFacesAre() throws InterruptedException {
    cluster.executors();
    cluster.localityWait("300s");
    List<String> places = BlockBytes.executors(cluster.session().sparkContext());
    ProcessHandle giver = cluster.processesByLocation(places).get(places.get(0));
    int id = LateTickets.put(cluster.spark(), places.get(0), "here");
    Killer stopper = new Killer();
    stopper.stopAfter(0, giver, 4000);
    stopper.progressed(null);
    Thread.sleep(200); // the signal has come

    List<String> found = LateTickets.look(cluster.spark(), places.get(1), id);

    assertThat(Long.parseLong(found.get(0))).as("the first look").isLessThan(1500);
    assertThat(Long.parseLong(found.get(1))).as("until it was found").isGreaterThan(1500);
    assertThat(found.get(2)).isEqualTo("here");
    BlockBytes.remove(cluster.session().sparkContext(), id);
  }

  /** It is stopped for three seconds, more than others wait for. */
  @ParameterizedTest
  @CsvSource({"16g", "1"})
  void anExecutorThatIsLateLosesNothing(String logBytes) {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    Killer stopper = new Killer();
    cluster.session().sparkContext().conf().set(StencilOptions.GRID_LOG_BYTES.key(), logBytes);
    try (StencilGrid grid = PushedGrids.create(cluster, whole, 6, stopper)) {
      StencilGrid before = grid.step(6L * PushedGrids.STEPS);
      stopper.stopAfter(5, GridCluster.processes().get(0), 3000);

      StencilGrid after = before.step(40L * PushedGrids.STEPS);

      assertThat(stopper.isDone()).isTrue();
      assertThat(after.read("u")).isEqualTo(whole.after(46L * PushedGrids.STEPS));
      assertThat(after.metrics().replayedSupersteps()).isZero();
    }
  }
}
