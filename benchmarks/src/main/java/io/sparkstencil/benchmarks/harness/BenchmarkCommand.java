/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.harness;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A benchmark as a subcommand: it measures, and writes what it has measured as a suite. */
@Command(mixinStandardHelpOptions = true, showDefaultValues = true, sortOptions = false)
public abstract class BenchmarkCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = "--machine",
      required = true,
      description = "The name of this machine, under which its results are kept.")
  private String machine;

  @Option(names = "--commit", required = true, description = "The commit that is measured.")
  private String commit;

  @Option(
      names = "--results",
      defaultValue = "benchmarks/results",
      description = "The folder of the results of all machines.")
  private Path results;

  private final List<BenchmarkRow> rows = new ArrayList<>();
  private MachineFacts here; // null until a row is written

  /** Returns the name of the suite, and of its files: that of the subcommand unless overridden. */
  protected String suite() {
    return command.name();
  }

  /** Measures, and adds the rows of the suite. */
  protected abstract void measure() throws Exception;

  /** Takes a row into the results, so that a later failure loses none, and shows it. */
  protected final void add(BenchmarkRow row) {
    rows.add(row);
    System.out.println(row.line());
    write();
  }

  private void write() {
    if (here == null) {
      here = MachineFacts.ofThisMachine(machine);
    }
    String today = LocalDate.now(ZoneOffset.UTC).toString();
    try {
      new BenchmarkResults(here, commit, today, rows).write(results, suite());
    } catch (IOException e) {
      throw new UncheckedIOException("results cannot be written to " + file(), e);
    }
  }

  /** Returns the file of this machine's results, which may not exist yet. */
  protected final Path file() {
    return results.resolve(machine).resolve(suite() + ".json");
  }

  /** Returns the rows that were written before. */
  protected final List<BenchmarkRow> earlier() throws IOException {
    return file().toFile().exists() ? BenchmarkResults.read(file()).rows() : List.of();
  }

  @Override
  public final Integer call() throws Exception {
    measure();
    write();
    System.out.println(BenchmarkResults.read(file()).markdown(suite()));
    return 0;
  }
}
