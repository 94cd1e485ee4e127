/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a run did.
 *
 * @param secondsByStep wall-clock seconds of each step, in the order of running
 */
record RunReport(Map<String, Double> secondsByStep) {
  /** Copies the map. */
  RunReport {
    secondsByStep = new LinkedHashMap<>(secondsByStep);
  }

  /** Returns the seconds of all steps. */
  double seconds() {
    return secondsByStep.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Prints one line per fact. */
  void print(PrintWriter out) {
    StringBuilder steps = new StringBuilder();
    secondsByStep.forEach(
        (step, seconds) ->
            steps
                .append(steps.isEmpty() ? "" : ", ")
                .append(String.format(Locale.ROOT, "%s %.2f", step, seconds)));
    out.printf(Locale.ROOT, "time    %.2f s (%s)%n", seconds(), steps);
  }

  /** Writes the report as JSON. */
  void writeJson(Path file) throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ObjectNode root = mapper.createObjectNode();
    root.put("seconds", seconds());
    ObjectNode steps = root.putObject("secondsByStep");
    secondsByStep.forEach(steps::put);
    root.put("spark", StencilVersion.ofSpark());
    root.put("java", Runtime.version().toString());
    root.put("version", StencilVersion.ofProject());
    mapper.writeValue(file.toFile(), root);
  }
}
