/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.soak;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Runs small jobs with injected faults and writes how memory has grown from the end of the fifth
 * part of them to the end of all.
 *
 * <pre>
 *   SoakBenchmark RESULTS-FOLDER MACHINE COMMIT ENGINE MASTER APPLICATIONS JOBS-OF-EACH
 * </pre>
 */
public final class SoakBenchmark {
  private SoakBenchmark() {}

  /** Runs and writes suite {@code soak}. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 7) {
      System.err.println(
          "usage: SoakBenchmark RESULTS-FOLDER MACHINE COMMIT ENGINE MASTER APPLICATIONS JOBS-OF-EACH");
      System.exit(2);
    }
    String engine = arguments[3];
    Soak.Outcome outcome =
        new Soak(engine, arguments[4], 7)
            .run(Integer.parseInt(arguments[5]), Integer.parseInt(arguments[6]));
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.add(growth("heap", engine, outcome, Soak.Sample::heapBytes));
    rows.add(growth("process", engine, outcome, Soak.Sample::processBytes));
    rows.add(growth("device", engine, outcome, Soak.Sample::deviceBytes));
    Path json =
        new BenchmarkResults(
                MachineFacts.ofThisMachine(arguments[1]),
                arguments[2],
                LocalDate.now(ZoneOffset.UTC).toString(),
                rows)
            .write(Path.of(arguments[0]), "soak");
    outcome.samples().forEach(System.out::println);
    System.out.println(BenchmarkResults.read(json).markdown("soak"));
  }

  private static BenchmarkRow growth(
      String memory, String engine, Soak.Outcome outcome, ToLongFunction<Soak.Sample> bytes) {
    List<Soak.Sample> samples = outcome.samples();
    double first = bytes.applyAsLong(samples.get(samples.size() / 5)) / (double) (1 << 20);
    double last = bytes.applyAsLong(samples.get(samples.size() - 1)) / (double) (1 << 20);
    int open = samples.stream().mapToInt(Soak.Sample::open).max().orElse(0);
    return new BenchmarkRow(
        "soak/jobs=%d/faults=%d/%s".formatted(outcome.jobs(), outcome.faults(), memory),
        engine,
        "after a fifth of the jobs",
        last,
        "MiB",
        last == 0 ? 1 : first / last,
        0,
        1,
        true,
        String.format(
            Locale.ROOT,
            "%.1f MiB after a fifth, %.1f at the end; %d applications in %.0f s; at most %d handles, lanes or leases left open",
            first,
            last,
            samples.size(),
            outcome.seconds(),
            open));
  }
}
