/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;

/**
 * Compares what guides have written with NumPy, pandas and GDAL, where Python has them: {@code
 * peers.py} runs the blocks of Python that the guides show.
 */
final class GuidePeers {
  private static final String SENSORS = "guide-sensors.md";
  private static final Set<String> GUIDES = Set.of(SENSORS, "guide-room.md", "guide-elevation.md");

  /** That of the user, and that of the system, which may have more. */
  private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

  private static final int NO_PEER = 3;

  private GuidePeers() {}

  /** Compares what a guide wrote to {@code folder}, if it is one that has a peer. */
  static void compare(Path home, String guide, Path folder, SparkSession session)
      throws IOException, InterruptedException {
    if (!GUIDES.contains(guide)) {
      return;
    }
    if (guide.equals(SENSORS)) {
      for (String table : List.of("readings", "hour", "steps", "scores")) {
        session
            .read()
            .parquet(folder.resolve(table + ".parquet").toString())
            .write()
            .option("header", true)
            .csv(folder.resolve(table + ".csv").toString());
      }
    }
    for (String python : PYTHONS) {
      Process peers;
      try {
        peers = start(python, home, guide, folder);
      } catch (IOException e) {
        continue; // there is no such Python
      }
      String said = new String(peers.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = peers.waitFor();
      if (code != NO_PEER) {
        System.out.print(said);
        assertThat(code).as("%s beside its peers: %s", guide, said).isZero();
        assertThat(said).contains("same: ");
        return;
      }
    }
    System.out.println(guide + " is compared with nothing: no Python here has NumPy or pandas");
  }

  private static Process start(String python, Path home, String guide, Path folder)
      throws IOException {
    String script = "jobs/src/test/resources/io/sparkstencil/jobs/guides/peers.py";
    return new ProcessBuilder(
            python,
            home.resolve(script).toString(),
            home.resolve("docs").resolve(guide).toString(),
            folder.toString())
        .redirectErrorStream(true)
        .start();
  }
}
