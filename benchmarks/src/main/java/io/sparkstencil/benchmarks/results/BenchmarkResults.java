/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.results;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results of one suite on one machine, as {@code <folder>/<machine>/<suite>.json} and a table
 * beside it. Rows are told apart by name, subject and peer; a new measurement replaces the old.
 *
 * @param machine where they were measured
 * @param commit which state of the sources
 * @param date when, as in ISO 8601
 * @param rows the measurements
 */
public record BenchmarkResults(
    MachineFacts machine, String commit, String date, List<BenchmarkRow> rows) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Copies the rows. */
  public BenchmarkResults {
    rows = List.copyOf(rows);
  }

  /** Reads results that were written before. */
  public static BenchmarkResults read(Path file) throws IOException {
    return JSON.readValue(file.toFile(), BenchmarkResults.class);
  }

  /**
   * Returns these results with the rows of {@code older} that were not measured again; where those
   * are of another commit, their note says so.
   */
  public BenchmarkResults mergedWith(BenchmarkResults older) {
    Map<String, BenchmarkRow> merged = new LinkedHashMap<>();
    for (BenchmarkRow row : older.rows()) {
      merged.put(key(row), older.commit().equals(commit) ? row : row.measuredAt(older.commit()));
    }
    for (BenchmarkRow row : rows) {
      merged.put(key(row), row);
    }
    return new BenchmarkResults(machine, commit, date, List.copyOf(merged.values()));
  }

  private static String key(BenchmarkRow row) {
    return String.join("\n", row.name(), row.subject(), row.against());
  }

  /**
   * Writes JSON and a Markdown table, keeping rows of an existing file that were not measured
   * again.
   *
   * @return the JSON file
   */
  public Path write(Path folder, String suite) throws IOException {
    Path target = folder.resolve(machine.name());
    Files.createDirectories(target);
    Path json = target.resolve(suite + ".json");
    BenchmarkResults all = Files.exists(json) ? mergedWith(read(json)) : this;
    Files.writeString(json, JSON.writeValueAsString(all) + "\n");
    Files.writeString(target.resolve(suite + ".md"), all.markdown(suite));
    return json;
  }

  /** Returns a table of the rows with the machine above it. */
  public String markdown(String suite) {
    StringBuilder text = new StringBuilder();
    text.append("# %s on %s%n%n".formatted(suite, machine.name()));
    text.append(
        "%s, %d cores, %d GiB%s; Java %s, Spark %s; commit %s, %s.%n%n"
            .formatted(
                machine.cpu(),
                machine.cores(),
                machine.memoryGiB(),
                machine.gpu().isEmpty()
                    ? ""
                    : "; %s, driver %s".formatted(machine.gpu(), machine.driver()),
                machine.java(),
                machine.spark(),
                commit,
                date));
    text.append("| work | subject | median | against | ratio | spread | checked | note |\n");
    text.append("|---|---|---:|---|---:|---:|---|---|\n");
    for (BenchmarkRow row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %.4g %s | %s | %.3f | %.1f %% | %s | %s |%n",
              row.name(),
              row.subject(),
              row.value(),
              row.unit(),
              row.against(),
              row.ratio(),
              100 * row.spread(),
              row.checked() ? "yes" : "no",
              row.note()));
    }
    return text.toString();
  }
}
