/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.OperatingSystemMXBean;
import io.sparkstencil.benchmarks.harness.PythonScript;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A program on the CPU, beside a plain loop and Python, and how fast it starts. */
final class CpuRows {
  private static final String NAME = "program/five/exact/f64";
  private static final String UNIT = "G cell-steps/s";
  private static final String UNIT_OF_CPU_TIME = "G cell-steps per CPU second";
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final double[] WEIGHTS = {0.11, 0.12, 0.5, 0.13, 0.14};
  private static final int REPEATS = 5;
  private static final int PYTHON_STEPS = 5;
  private static final int PYTHON_REPEATS = 3;
  private static final int SMALL = 64;
  private static final int SMALL_CALLS = 4000;
  private static final double SMALL_MILLIS = 1;

  private final Pattern names;
  private final int size;
  private final int steps;
  private final long end;
  private final Consumer<BenchmarkRow> rows;
  private final int threads = Runtime.getRuntime().availableProcessors();
  private final PlainFivePoints plain;
  private double[] start;

  /**
   * Prepares the rows.
   *
   * @param names those to measure
   * @param size the rows, and the columns, of the field
   * @param end when no other row is begun, as {@link System#nanoTime}
   */
  CpuRows(Pattern names, int size, int steps, long end, Consumer<BenchmarkRow> rows) {
    this.names = names;
    this.size = size;
    this.steps = steps;
    this.end = end;
    this.rows = rows;
    plain = new PlainFivePoints(size, WEIGHTS);
  }

  /** Measures all rows; those of Python, if it has NumPy. */
  void measure(Path python) throws IOException {
    if (names.matcher(NAME + "/start").matches()) {
      measureStart();
    }
    if (names.matcher(NAME).matches() && System.nanoTime() < end) {
      start = new double[size * size];
      ProgramCells.fill(start, 0);
      List<Double> seconds = measureLoops();
      if (System.nanoTime() < end) {
        measurePython(python, seconds);
      }
    }
  }

  private static CpuProgram compile() {
    StencilProgram program =
        ProgramText.parse(
            "u' = %s*u[-1,0] + %s*u[0,-1] + %s*u[0,0] + %s*u[0,1] + %s*u[1,0]"
                .formatted(Arrays.stream(WEIGHTS).boxed().toArray()));
    return CpuProgram.compile(program.withBoundary(Boundary.parse("constant:0")), Map.of());
  }

  private static void run(CpuProgram program, double[] cells, int size, int steps, int threads) {
    ProgramArrays arrays =
        new ProgramArrays(ElementType.F64, Extent.of(size, size), List.of(cells));
    program.run(arrays, ParameterValues.NONE, steps, threads);
  }

  /** A small field, compiled anew in each call. */
  private void measureStart() {
    double[] cells = new double[SMALL * SMALL];
    ProgramCells.fill(cells, 0);
    List<Double> millis = new ArrayList<>();
    for (int call = 0; call < SMALL_CALLS; call++) {
      millis.add(1e3 * Turns.seconds(() -> run(compile(), cells, SMALL, 1, threads)));
    }
    addStart("first call of a JVM", millis.subList(0, 1));
    addStart("second call", millis.subList(1, 2));
    addStart("later calls", millis.subList(SMALL_CALLS / 2, SMALL_CALLS));
  }

  private void addStart(String subject, List<Double> millis) {
    rows.accept(
        BenchmarkRow.of(
            NAME + "/start",
            subject,
            "limit of 1 ms",
            millis,
            "ms",
            SMALL_MILLIS / Quantiles.median(millis),
            false,
            "%d x %d cells, one step, text to results".formatted(SMALL, SMALL)));
  }

  /** Returns the seconds of the runs of the engine. */
  private List<Double> measureLoops() {
    CpuProgram program = compile();
    double[] cells = new double[size * size];
    String ours = "cpu, %d threads".formatted(threads);
    String one = "plain loop, 1 thread";
    String all = "plain loop, %d threads".formatted(threads);
    Map<String, double[]> last = new HashMap<>();
    Map<String, List<Double>> cpuSeconds = new HashMap<>();
    Map<String, List<Double>> seconds =
        Turns.measure(
            List.of(ours, one, all),
            1,
            subject -> REPEATS,
            subject -> {
              Runnable work;
              if (subject.equals(ours)) {
                System.arraycopy(start, 0, cells, 0, cells.length);
                work = () -> run(program, cells, size, steps, threads);
              } else {
                double[] field = plain.withRim(start);
                int loops = subject.equals(one) ? 1 : threads;
                work = () -> last.put(subject, plain.run(field, steps, loops));
              }
              long cpu = SYSTEM.getProcessCpuTime();
              double wall = Turns.seconds(work);
              cpuSeconds
                  .computeIfAbsent(subject, key -> new ArrayList<>())
                  .add((SYSTEM.getProcessCpuTime() - cpu) * 1e-9);
              return wall;
            });
    boolean right =
        plain.different(cells, last.get(one)) + plain.different(cells, last.get(all)) == 0;
    for (String peer : List.of(one, all)) {
      add(NAME, ours, peer, seconds, UNIT, right);
      add(NAME, peer, ours, seconds, UNIT, right);
    }
    cpuSeconds.values().forEach(measured -> measured.remove(0)); // the first warms up
    add(NAME + "/cpu-time", ours, all, cpuSeconds, UNIT_OF_CPU_TIME, right);
    add(NAME + "/cpu-time", all, ours, cpuSeconds, UNIT_OF_CPU_TIME, right);
    return seconds.get(ours);
  }

  private void add(
      String name,
      String subject,
      String against,
      Map<String, List<Double>> seconds,
      String unit,
      boolean right) {
    double ratio = Quantiles.median(seconds.get(against)) / Quantiles.median(seconds.get(subject));
    List<Double> rates = rates(seconds.get(subject), steps);
    rows.accept(BenchmarkRow.of(name, subject, against, rates, unit, ratio, right, note()));
  }

  private String note() {
    return "%d x %d cells, %d steps".formatted(size, size, steps);
  }

  private List<Double> rates(List<Double> seconds, int ofSteps) {
    return seconds.stream().map(s -> 1e-9 * size * size * ofSteps / s).toList();
  }

  private void measurePython(Path script, List<Double> seconds) throws IOException {
    List<Object> arguments = new ArrayList<>(List.of(size, PYTHON_STEPS, PYTHON_REPEATS));
    Arrays.stream(WEIGHTS).forEach(arguments::add);
    Optional<JsonNode> printed = PythonScript.run(script, arguments);
    if (printed.isEmpty()) {
      System.out.println("no rows of Python: it or NumPy is not here");
      return;
    }
    JsonNode results = printed.get();
    double[] cells = start.clone();
    run(compile(), cells, size, PYTHON_STEPS, threads);
    boolean right = true;
    for (int i = 0; i < results.get("cells").size(); i++) {
      int at = i * (size - 1) / 7 * size + (7 - i) * (size - 1) / 7;
      right &= results.get("cells").get(i).asDouble() == cells[at];
    }
    addPython("NumPy", results, "numpy", seconds, right);
    addPython("SciPy", results, "scipy", seconds, right);
  }

  private void addPython(
      String library, JsonNode results, String key, List<Double> seconds, boolean right) {
    List<Double> perStep = new ArrayList<>();
    results.get(key + "_seconds").forEach(each -> perStep.add(each.asDouble()));
    if (perStep.isEmpty()) {
      System.out.printf("no row of %s: it is not here%n", library);
      return;
    }
    double ratio = Quantiles.median(perStep) * steps / Quantiles.median(seconds);
    String peer =
        "%s %s: %.3f %s"
            .formatted(
                library, results.get(key).asText(), Quantiles.median(rates(perStep, 1)), UNIT);
    String ours = "cpu, %d threads".formatted(threads);
    rows.accept(
        BenchmarkRow.of(NAME, ours, library, rates(seconds, steps), UNIT, ratio, right, note())
            .noted(peer));
  }
}
