/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.sparkstencil.jobs.command.StencilVersion;
import io.sparkstencil.spark.StencilReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/** What a run does: its steps as they are timed, and what Spark reports of its stencils. */
public final class RunReport {
  private final Map<String, Double> secondsByStep = new LinkedHashMap<>();
  private final WrittenRows written = new WrittenRows();
  private StencilReport ran;

  /** Runs a step and returns what it returns. */
  public <T> T step(String name, Supplier<T> work) {
    long start = System.nanoTime();
    T result = work.get();
    secondsByStep.merge(name, (System.nanoTime() - start) / 1e9, Double::sum);
    return result;
  }

  /** Runs a step. */
  public void step(String name, Runnable work) {
    step(
        name,
        () -> {
          work.run();
          return null;
        });
  }

  /** Runs the step that computes and writes, whose stencils are reported. */
  public void compute(SparkSession session, Runnable work) {
    session.sparkContext().addSparkListener(written);
    try (StencilReport listening = StencilReport.listen(session)) {
      ran = listening;
      step("compute and write", work);
    } finally {
      session.sparkContext().removeSparkListener(written);
    }
  }

  /** Returns the rows that were written. */
  long rows() {
    return written.count();
  }

  private double seconds() {
    return secondsByStep.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /**
   * Prints one line per fact.
   *
   * @param rows of the table
   */
  public void print(long rows, PrintWriter out) {
    String choices =
        ran.engineChoices().entrySet().stream()
            .map(each -> each.getKey() + ": " + each.getValue() + tasks(each.getValue()))
            .collect(Collectors.joining(", "));
    String steps =
        secondsByStep.entrySet().stream()
            .map(each -> String.format(Locale.ROOT, "%s %.2f", each.getKey(), each.getValue()))
            .collect(Collectors.joining(", "));
    out.printf(
        Locale.ROOT,
        "engine  %s%s%s%n",
        ran.engine().equals("none") ? "none: windows run on the CPUs" : ran.engine(),
        choices.isEmpty() ? "" : " (" + choices + ")",
        ran.fallbacks() == 0
            ? ""
            : ", " + ran.fallbacks() + " tasks not on the engine that was preferred");
    out.printf(Locale.ROOT, "rows    %,d; partitions with stencils: %,d%n", rows, ran.partitions());
    out.printf(
        Locale.ROOT,
        "moved   %,d halo cells; %,d bytes shuffled%n",
        ran.haloCellsMoved(),
        ran.shuffledBytes());
    out.printf(
        Locale.ROOT, "time    %.2f s (%s)%s%n", seconds(), steps, rate(ran.cellsPerSecond()));
  }

  /** Returns what to say of a rate: nothing of one that would be printed as 0. */
  static String rate(double resultsPerSecond) {
    return resultsPerSecond < 1
        ? ""
        : String.format(Locale.ROOT, "; %,.0f results per second", resultsPerSecond);
  }

  private static String tasks(long count) {
    return count == 1 ? " task" : " tasks";
  }

  /**
   * Writes the report as JSON; docs/cli.md says what its fields mean.
   *
   * @param rows of the table
   */
  public void writeJson(long rows, Path file) throws IOException {
    Map<String, Object> fields = ran.values();
    fields.put("rows", rows);
    fields.put("secondsByStep", secondsByStep);
    Map<String, Double> within = new LinkedHashMap<>();
    ran.millisByStep().forEach((part, millis) -> within.put(part, millis / 1000.0));
    within.remove("total");
    fields.remove("millisByStep");
    fields.put("secondsWithin", within);
    fields.put("seconds", seconds());
    fields.put("spark", StencilVersion.ofSpark());
    fields.put("java", Runtime.version().toString());
    fields.put("version", StencilVersion.ofProject());
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), fields);
  }
}
