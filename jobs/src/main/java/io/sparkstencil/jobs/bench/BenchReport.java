/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.jobs.chart.BarChart;
import io.sparkstencil.jobs.command.StencilVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * What was measured, and where; nothing in it names a host or a user.
 *
 * @param rows of each query
 * @param contenders their names, Spark first
 * @param timings all of them
 * @param place what is known of the machine and the software
 */
record BenchReport(
    long rows, List<String> contenders, List<Timing> timings, Map<String, Object> place) {
  private static final Path PROCESSOR = Path.of("/proc/cpuinfo");

  /** Returns what is known of the driver's machine and of Spark. */
  static Map<String, Object> place(SparkSession session) {
    String master = session.sparkContext().master();
    Map<String, Object> place = new LinkedHashMap<>();
    place.put("processor", processor());
    place.put("cores", Runtime.getRuntime().availableProcessors());
    place.put("devices", Engines.discover().stream().flatMap(BenchReport::devices).toList());
    place.put("heapBytes", Runtime.getRuntime().maxMemory());
    place.put("master", master.startsWith("local") ? master : master.replaceFirst("[:/].*", ""));
    place.put("slots", session.sparkContext().defaultParallelism());
    place.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    place.put("spark", StencilVersion.ofSpark());
    place.put("java", Runtime.version().toString());
    place.put("version", StencilVersion.ofProject());
    return place;
  }

  private static Stream<String> devices(EngineProvider provider) {
    return provider.unavailableReason().isEmpty() ? provider.devices().stream() : Stream.of();
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(PROCESSOR)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException | java.io.UncheckedIOException e) {
      return "unknown"; // not on Linux
    }
  }

  private Timing timing(Workload workload, String contender) {
    return timings.stream()
        .filter(each -> each.workload() == workload && each.contender().equals(contender))
        .findFirst()
        .orElseThrow();
  }

  /** Returns how many times as fast as Spark a contender is. */
  private double ratio(Workload workload, String contender) {
    return timing(workload, contenders.get(0)).median() / timing(workload, contender).median();
  }

  /** Prints a row for each workload. */
  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%,d rows, generated in no order; %s; Spark %s on %s with %s slots%n%n",
        rows,
        place.get("processor"),
        place.get("spark"),
        place.get("master"),
        place.get("slots"));
    out.printf("%-28s", "");
    contenders.forEach(name -> out.printf(" %17s", name));
    out.println();
    for (Workload workload : Workload.values()) {
      out.printf("%-28s", workload.title());
      for (String name : contenders) {
        double seconds = timing(workload, name).median();
        String ratio =
            name.equals(contenders.get(0))
                ? ""
                : String.format(Locale.ROOT, " (%5.1f x)", ratio(workload, name));
        out.printf(Locale.ROOT, " %17s", String.format(Locale.ROOT, "%.2f s", seconds) + ratio);
      }
      out.println();
    }
  }

  /** Returns the chart: millions of rows per second. */
  BarChart chart() {
    Map<String, List<Double>> bars = new LinkedHashMap<>();
    for (String name : contenders) {
      List<Double> rates = new ArrayList<>();
      for (Workload workload : Workload.values()) {
        rates.add(rows / 1e6 / timing(workload, name).median());
      }
      bars.put(name, rates);
    }
    return new BarChart(
        "SQL windows, %s".formatted(place.get("processor")),
        "million rows per second",
        Stream.of(Workload.values()).map(Workload::title).toList(),
        bars);
  }

  /** Writes all as JSON; docs/cli.md says what its fields mean. */
  void writeJson(Path file) throws IOException {
    List<Map<String, Object>> results = new ArrayList<>();
    for (Timing timing : timings) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("workload", timing.workload().name());
      result.put("window", timing.workload().window());
      result.put("contender", timing.contender());
      result.put("seconds", timing.seconds());
      result.put("timesSpark", ratio(timing.workload(), timing.contender()));
      results.add(result);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("rows", rows);
    all.put("place", place);
    all.put("results", results);
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), all);
  }
}
