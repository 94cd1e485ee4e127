/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.page;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A section of the page: a text, and what rows say together, which are those of linked files.
 *
 * @param title above it
 * @param text what the rows mean
 * @param tables in their order
 */
record Section(String title, String text, List<Table> tables) {
  /**
   * Some rows of one machine. Rows that compare something with itself are left out.
   *
   * @param machine the folder of results
   * @param work a pattern of the rows' names, which begins with the suite
   * @param subjects a pattern of what ran
   * @param peers a pattern of what it is compared with
   */
  record Table(String machine, String suite, String work, String subjects, String peers) {
    private boolean has(BenchmarkRow row) {
      return !row.subject().equals(row.against())
          && row.name().matches(work)
          && row.subject().matches(subjects)
          && row.against().matches(peers);
    }

    /** Adds the rows that are there to those of their machine, and of the two that they compare. */
    private void addTo(Map<String, Map<String, List<BenchmarkRow>>> machines, ResultFiles files) {
      if (!files.has(machine, suite)) {
        return; // a machine where that was not measured
      }
      BenchmarkResults results = files.of(machine, suite);
      String place =
          "[%s](../benchmarks/results/%s/%s.md)".formatted(name(results), machine, suite);
      Map<String, List<BenchmarkRow>> pairs =
          machines.computeIfAbsent(place, key -> new LinkedHashMap<>());
      for (BenchmarkRow row : results.rows()) {
        if (has(row)) {
          pairs
              .computeIfAbsent(
                  "%s | %s".formatted(row.subject(), row.against()), pair -> new ArrayList<>())
              .add(row);
        }
      }
    }

    /** Returns the cores and the GPU, without its maker and its memory, which the files name. */
    private static String name(BenchmarkResults results) {
      MachineFacts facts = results.machine();
      String gpu = facts.gpu().replaceAll("^NVIDIA | \\d+GB.*", "");
      return "%d cores%s".formatted(facts.cores(), gpu.isEmpty() ? "" : ", " + gpu);
    }
  }

  String text(ResultFiles files) {
    StringBuilder all = new StringBuilder("## %s%n%n%s%n%n".formatted(title, text));
    all.append("| machine | what ran | compared with | ratio |\n|---|---|---|---:|\n");
    Map<String, Map<String, List<BenchmarkRow>>> machines = new LinkedHashMap<>();
    tables.forEach(table -> table.addTo(machines, files));
    machines.forEach(
        (place, pairs) -> {
          String machine = place;
          for (Map.Entry<String, List<BenchmarkRow>> pair : pairs.entrySet()) {
            all.append(
                "| %s | %s | %s |%n".formatted(machine, pair.getKey(), ratios(pair.getValue())));
            machine = ""; // said once
          }
        });
    return all.append('\n').toString();
  }

  private static String ratios(List<BenchmarkRow> rows) {
    double least = rows.stream().mapToDouble(BenchmarkRow::ratio).min().orElseThrow();
    double most = rows.stream().mapToDouble(BenchmarkRow::ratio).max().orElseThrow();
    String range = Figure.ratio(least);
    if (!Figure.ratio(most).equals(range)) {
      range += " to " + Figure.ratio(most);
    }
    return rows.stream().allMatch(BenchmarkRow::checked) ? range : range + "\\*";
  }
}
