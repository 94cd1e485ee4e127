/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.page;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import java.util.List;

/**
 * A section of the page: a text, and tables of rows.
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

    private String text(ResultFiles files) {
      if (!files.has(machine, suite)) {
        return "";
      }
      BenchmarkResults results = files.of(machine, suite);
      if (results.rows().stream().noneMatch(this::has)) {
        return ""; // a machine where that was not measured
      }
      StringBuilder text = new StringBuilder(heading(results));
      text.append("| work | what ran | median | compared with | ratio | commit |\n");
      text.append("|---|---|---:|---|---:|---|\n");
      for (BenchmarkRow row : results.rows()) {
        if (has(row)) {
          text.append(
              "| %s | %s | %s | %s | %s%s | %s |%n"
                  .formatted(
                      row.name(),
                      row.subject(),
                      Figure.median(row),
                      row.against(),
                      Figure.ratio(row.ratio()),
                      row.checked() ? "" : "\\*",
                      Figure.commit(row, results.commit())));
        }
      }
      return text.append('\n').toString();
    }

    private String heading(BenchmarkResults results) {
      MachineFacts facts = results.machine();
      return "[%s](../benchmarks/results/%s/%s.md): %s, %d cores%s; %s.%n%n"
          .formatted(
              machine,
              machine,
              suite,
              facts.cpu(),
              facts.cores(),
              facts.gpu().isEmpty() ? "" : ", " + facts.gpu(),
              results.date().substring(0, "2026-01-01".length()));
    }
  }

  String text(ResultFiles files) {
    StringBuilder all = new StringBuilder("## %s%n%n%s%n%n".formatted(title, text));
    tables.forEach(table -> all.append(table.text(files)));
    return all.toString();
  }
}
