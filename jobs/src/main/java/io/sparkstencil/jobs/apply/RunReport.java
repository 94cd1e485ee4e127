/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkstencil.jobs.command.StencilVersion;
import io.sparkstencil.spark.StencilReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a run did.
 *
 * @param engine the engine that ran; several joined by {@code +}
 * @param rows rows of the table
 * @param cells results computed
 * @param cellsPerSecond results per second of the queries, reading and writing included
 * @param partitions partitions that stencils ran over
 * @param haloCellsMoved halo cells that partitions got from one another
 * @param shuffledBytes bytes that were shuffled to order the rows
 * @param fallbacks tasks that ran on another engine than the preferred one
 * @param engineChoices why tasks were given their engine, with the number of tasks for each reason
 * @param secondsByStep wall-clock seconds of each step, in the order of running
 * @param secondsWithin seconds of the stencil operator's parts, within the steps; those of parts
 *     that run in tasks are summed over tasks
 */
public record RunReport(
    String engine,
    long rows,
    long cells,
    double cellsPerSecond,
    long partitions,
    long haloCellsMoved,
    long shuffledBytes,
    long fallbacks,
    Map<String, Long> engineChoices,
    Map<String, Double> secondsByStep,
    Map<String, Double> secondsWithin) {

  /** Returns the report of a run that is over. */
  public static RunReport of(StencilReport spark, long rows, StepTimer timer) {
    Map<String, Double> within = new LinkedHashMap<>();
    spark.millisByStep().forEach((part, millis) -> within.put(part, millis / 1000.0));
    within.remove("total");
    return new RunReport(
        spark.engine(),
        rows,
        spark.cells(),
        spark.cellsPerSecond(),
        spark.partitions(),
        spark.haloCellsMoved(),
        spark.shuffledBytes(),
        spark.fallbacks(),
        spark.engineChoices(),
        new LinkedHashMap<>(timer.secondsByStep()),
        within);
  }

  /** Returns the seconds of all steps. */
  double seconds() {
    return secondsByStep.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Prints one line per fact. */
  public void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "engine  %s%s%s%n",
        engine,
        choicesText(),
        fallbacks == 0 ? "" : ", " + fallbacksText());
    out.printf(Locale.ROOT, "rows    %,d; partitions with stencils: %,d%n", rows, partitions);
    out.printf(
        Locale.ROOT, "moved   %,d halo cells; %,d bytes shuffled%n", haloCellsMoved, shuffledBytes);
    StringBuilder steps = new StringBuilder();
    secondsByStep.forEach(
        (step, seconds) ->
            steps
                .append(steps.isEmpty() ? "" : ", ")
                .append(String.format(Locale.ROOT, "%s %.2f", step, seconds)));
    out.printf(
        Locale.ROOT,
        "time    %.2f s (%s); %,.0f results per second%n",
        seconds(),
        steps,
        cellsPerSecond);
  }

  private String choicesText() {
    StringBuilder text = new StringBuilder();
    engineChoices.forEach(
        (reason, tasks) ->
            text.append(text.isEmpty() ? " (" : ", ")
                .append(reason)
                .append(": ")
                .append(tasks)
                .append(tasks == 1 ? " task" : " tasks"));
    return text.isEmpty() ? "" : text.append(')').toString();
  }

  private String fallbacksText() {
    return fallbacks + " tasks not on the engine that was preferred";
  }

  /** Writes the report as JSON. */
  public void writeJson(Path file) throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ObjectNode root = mapper.valueToTree(this);
    root.put("seconds", seconds());
    root.put("spark", StencilVersion.ofSpark());
    root.put("java", Runtime.version().toString());
    root.put("version", StencilVersion.ofProject());
    mapper.writeValue(file.toFile(), root);
  }
}
