/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.testkit.programs.FaceFaults;
import io.sparkstencil.testkit.programs.HoldingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Executors of one host whose engine shares faces in files, and grids on them. */
final class SharedFacesCluster implements AutoCloseable {
  private static final int STEPS = 2;
  private static final int BLOCKS = 6;

  private final Path faces;
  private final boolean pushes;
  private final GridCluster cluster;
  private FaceFaults faults = FaceFaults.NONE;

  /**
   * Starts executors, and has nothing go wrong with their faces.
   *
   * @param pushes whether executors push what they do not share
   */
  SharedFacesCluster(Path folder, int executors, boolean pushes) throws IOException {
    this.faces = Files.createDirectory(folder.resolve("faces"));
    this.pushes = pushes;
    cluster =
        start(faces, executors, Map.of(StencilOptions.GRID_PUSH.key(), Boolean.toString(pushes)));
  }

  /**
   * Starts executors that share all faces, and keep as many as come.
   *
   * @param options more of Spark's
   */
  static GridCluster start(Path faces, int executors, Map<String, String> options)
      throws IOException {
    Map<String, String> all = new HashMap<>(options);
    all.put(
        "spark.executor.extraJavaOptions",
        "%s -D%s=%s".formatted(Sessions.SHORT_RUN, HoldingEngine.SHARED_FOLDER, faces));
    return new GridCluster(executors, all);
  }

  /** Has something go wrong with the faces of grids that are made from now on. */
  void faults(FaceFaults next) throws IOException {
    next.in(faces);
    faults = next;
  }

  GridCluster cluster() {
    return cluster;
  }

  StencilGrid grid(WholeGrid whole, int blocks, int steps, GridListener listener) {
    cluster.executors(); // so that both are there
    return whole
        .builder(cluster.session())
        .blocks(blocks)
        .stepsPerExchange(steps)
        .listener(listener)
        .create();
  }

  /** An executor is killed; what is too late is given up, and the bits stay. */
  void theBitsAreThoseOfTheWholeGrid(WholeGrid whole) throws Exception {
    Killer killer = new Killer();
    int before = names().size();
    try (StencilGrid grid = grid(whole, BLOCKS, STEPS, killer)) {
      StencilGrid begun = grid.step(4L * STEPS);
      GridMetrics early = begun.metrics();
      StencilGrid first = begun.step(16L * STEPS);
      assertThat(first.read("u")).isEqualTo(whole.after(20L * STEPS));
      faultsShow(early, first.metrics());
      assertThat(first.metrics().replayedSupersteps()).isZero();
      assertThat(first.metrics().faces().get("shared")).isPositive();
      assertThat(first.metrics().faces().containsKey("pushed") && !pushes)
          .as("pushed though that is switched off")
          .isFalse();
      killer.killAfter(3, GridCluster.processes().get(0));

      StencilGrid after = first.step(20L * STEPS);

      assertThat(after.read("u")).isEqualTo(whole.after(40L * STEPS));
      assertThat(after.metrics().replayedSupersteps()).isPositive();
    }
    cluster.awaitEmpty(); // files are deleted in the background
    assertThat(names().size() - before)
        .as("but for those of the process that was killed")
        .isLessThan(BLOCKS * BLOCKS * 40);
  }

  /** Once all are known to read what is shared, the log brings a face where there is a fault. */
  private void faultsShow(GridMetrics early, GridMetrics late) {
    if (faults.faulty()) {
      assertThat(late.faces().get("log")).isGreaterThan(early.faces().get("log"));
    }
    if (faults.keptBytes() < Long.MAX_VALUE) {
      assertThat(late.logBytes()).as("for want of room").isGreaterThan(early.logBytes());
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(faces)) {
      return all.map(Path::toString).toList();
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
