/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.testkit.programs.HoldingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executors of one host read each other's faces where an engine shares them, here in files, and
 * take them from the log where they are late, lost or overwritten, or where their owner was killed.
 */
@Timeout(300)
final class GridSharedFacesSparkTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"false, 7, 3, wrap", "true, 6, 2, reflect"})
  void facesAreSharedAndTheLogHasThemAll(boolean faults, int blocks, int steps, String boundary)
      throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.parse(boundary));
    AtomicInteger moment = new AtomicInteger(-1);
    AtomicInteger supersteps = new AtomicInteger();
    Path faces = Files.createDirectory(folder.resolve("faces"));
    try (GridCluster cluster = cluster(faces, faults)) {
      cluster.executors(); // so that both are there
      try (StencilGrid grid =
          whole
              .builder(cluster.session())
              .blocks(blocks)
              .stepsPerExchange(steps)
              .listener(
                  progress -> {
                    if (supersteps.incrementAndGet() == moment.get()) {
                      GridCluster.processes().get(0).destroyForcibly(); // signal 9
                    }
                  })
              .create()) {
        StencilGrid first = grid.step(10L * steps);

        assertThat(first.read("u")).isEqualTo(whole.after(10L * steps));
        assertThat(first.metrics().engines()).containsExactly("holding");
        assertThat(first.metrics().replayedSupersteps()).isZero();
        Map<String, Long> ways = first.metrics().faces();
        assertThat(ways.get("shared")).isPositive();
        assertThat(ways.get("heap")).as("inside an executor").isPositive();
        assertThat(first.explain()).contains("faces that have come by each way: " + ways);
        if (faults) {
          assertThat(ways.get("log")).isGreaterThan(ways.get("shared") / 5);
        }
        moment.set(supersteps.get() + 3);

        StencilGrid after = first.step(10L * steps);

        assertThat(after.read("u")).isEqualTo(whole.after(20L * steps));
        assertThat(after.metrics().replayedSupersteps()).isPositive();
        assertThat(after.metrics().faces().get("shared")).isGreaterThan(ways.get("shared"));
      }
      cluster.awaitEmpty();
      assertThat(names(faces))
          .as("but for those of the process that was killed")
          .hasSizeLessThan(blocks * blocks);
    }
  }

  private static GridCluster cluster(Path faces, boolean faults) throws IOException {
    String options =
        "%s -D%s=%s -D%s=%s"
            .formatted(
                Sessions.SHORT_RUN,
                HoldingEngine.SHARED_FOLDER,
                faces,
                HoldingEngine.SHARED_FAULTS,
                faults);
    return new GridCluster(2, Map.of("spark.executor.extraJavaOptions", options));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(Path::toString).toList();
    }
  }
}
