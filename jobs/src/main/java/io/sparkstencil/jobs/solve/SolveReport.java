/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.sparkstencil.jobs.command.CellRate;
import io.sparkstencil.jobs.command.StencilVersion;
import io.sparkstencil.spark.grid.GridMetrics;
import io.sparkstencil.spark.grid.GridSummary;
import io.sparkstencil.spark.grid.StencilGrid;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a run was, as JSON and in some lines; docs/grids.md says what the fields mean. */
final class SolveReport {
  private final Map<String, Object> values = new LinkedHashMap<>();

  private final long taken;

  private SolveReport(long taken) {
    this.taken = taken;
  }

  /**
   * How a run went.
   *
   * @param before the cells of each updated field before the first step
   * @param after those after the last
   * @param steps the steps of this run
   * @param seconds the time of the steps alone
   * @param change the last change that was measured, or NaN
   */
  record SolveOutcome(
      Map<String, GridSummary> before,
      Map<String, GridSummary> after,
      long steps,
      double seconds,
      double change) {}

  static SolveReport of(Problem problem, StencilGrid grid, SolveOutcome outcome) {
    SolveReport report = new SolveReport(outcome.steps());
    double cells =
        problem.shape().stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
    GridMetrics metrics = grid.metrics();
    Map<String, Object> values = report.values;
    values.put("equation", problem.name());
    values.put("program", problem.program().toString());
    values.put("constants", problem.constants());
    values.put("grid", problem.shape());
    values.put("type", grid.type().name().toLowerCase(Locale.ROOT));
    values.put("accuracy", problem.program().accuracy().name().toLowerCase(Locale.ROOT));
    values.put("dt", problem.dt());
    values.put("steps", grid.steps());
    values.put("time", grid.steps() * problem.dt());
    values.put(
        "engine", metrics.engines().isEmpty() ? "none" : String.join("+", metrics.engines()));
    values.put("blocks", grid.blocksPerAxis());
    values.put("stepsPerExchange", grid.stepsPerExchange());
    values.put("seconds", outcome.seconds());
    values.put(
        "cellStepsPerSecond",
        outcome.steps() == 0 ? 0 : cells * outcome.steps() / outcome.seconds());
    values.put("faceBytes", metrics.faceBytes());
    values.put("faces", metrics.faces());
    values.put("times", metrics.times());
    if (!grid.decodings().isEmpty()) {
      values.put("decoded", grid.decodings());
    }
    values.put("replayedSupersteps", metrics.replayedSupersteps());
    values.put("replayedBlocks", metrics.replayedBlocks());
    values.put("before", outcome.before());
    values.put("after", outcome.after());
    if (!Double.isNaN(outcome.change())) {
      values.put("change", outcome.change());
    }
    grid.divergence().ifPresent(found -> values.put("diverging", found));
    return report;
  }

  /** Notes a file that the run has written. */
  void written(String what, Object place) {
    if (place != null) {
      values.put(what, place.toString());
    }
  }

  void writeJson(Path file) throws IOException {
    values.put("spark", StencilVersion.ofSpark());
    values.put("java", Runtime.version().toString());
    values.put("version", StencilVersion.ofProject());
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), values);
  }

  /** Prints one line per fact. */
  void print(PrintWriter out) {
    out.printf(
        "engine  %s, blocks %s, %s per exchange%n",
        values.get("engine"), values.get("blocks"), stepsPerExchange());
    double rate = (double) values.get("cellStepsPerSecond");
    out.printf(
        Locale.ROOT,
        "time    %.3g s, %s%n",
        (double) values.get("seconds"),
        rate == 0 ? "no step was taken" : CellRate.text(rate) + " per second");
    ((Map<?, ?>) values.getOrDefault("decoded", Map.of()))
        .forEach((field, words) -> out.printf("decoded %s: %s%n", field, words));
    Map<?, ?> before = (Map<?, ?>) values.get("before");
    ((Map<?, ?>) values.get("after"))
        .forEach((field, after) -> printField(out, field, before.get(field), after));
  }

  /** No exchange has more steps than were taken. */
  private String stepsPerExchange() {
    long chosen = ((Number) values.get("stepsPerExchange")).longValue();
    long steps = Math.min(chosen, taken);
    return steps == 1 ? "1 step" : steps + " steps";
  }

  private static void printField(PrintWriter out, Object field, Object before, Object after) {
    GridSummary then = (GridSummary) before;
    GridSummary now = (GridSummary) after;
    out.printf(
        Locale.ROOT,
        "%-7s %.6g to %.6g, sum %.10g%s; before %.6g to %.6g, sum %.10g%s%n",
        field,
        now.min(),
        now.max(),
        now.sum(),
        missing(now),
        then.min(),
        then.max(),
        then.sum(),
        missing(then));
  }

  private static String missing(GridSummary summary) {
    return summary.missing() == 0 ? "" : ", %d cells NaN".formatted(summary.missing());
  }
}
