/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What GPU libraries of Python took for the same work, as {@code libraries.py} wrote it. */
final class LibraryTimes {
  private record Time(String library, String operation, String type, int radius, double millis) {}

  private final List<Time> times;

  private LibraryTimes(List<Time> times) {
    this.times = times;
  }

  static LibraryTimes none() {
    return new LibraryTimes(List.of());
  }

  static LibraryTimes read(Path file) throws IOException {
    List<Time> times = new ArrayList<>();
    for (JsonNode row : new ObjectMapper().readTree(file.toFile())) {
      if (row.hasNonNull("millis")) {
        times.add(
            new Time(
                row.get("library").asText(),
                row.get("operation").asText(),
                row.get("type").asText(),
                row.get("k").asInt(),
                row.get("millis").asDouble()));
      }
    }
    return new LibraryTimes(times);
  }

  /** Returns median milliseconds by library. */
  Map<String, Double> peersOf(KernelWork work) {
    Map<String, Double> peers = new LinkedHashMap<>();
    for (Time time : times) {
      if (time.operation().equals(work.operation())
          && time.radius() == work.radius()
          && time.type().equals(work.what().type().name().toLowerCase(Locale.ROOT))) {
        peers.put(time.library(), time.millis());
      }
    }
    return peers;
  }
}
