/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A query over arrays, how many cells it computes, and its times. */
final class ArrayQuery {
  /** A query that makes so much of the copy's cells is bound as the copy is. */
  private static final double MOST_OF_COPY = 0.8;

  final ArrayWork work; // null for the copy
  final String name;
  final String subject;
  final String sql;
  final int repeats;
  private final double cells;
  private final List<Double> seconds = new ArrayList<>();
  private TaskTimes.Shares shares = TaskTimes.Shares.NONE;
  boolean checked;

  /**
   * Creates a query that has not run yet.
   *
   * @param work what it computes; null for the copy
   * @param subject what runs it: an engine, {@code copy} or {@code transform}
   * @param cells the cells that it computes, each once for every step
   */
  ArrayQuery(ArrayWork work, String name, String subject, String sql, double cells, int repeats) {
    this.work = work;
    this.name = name;
    this.subject = subject;
    this.sql = sql;
    this.cells = cells;
    this.repeats = repeats;
  }

  boolean isOurs() {
    return !subject.equals("copy") && !subject.equals("transform");
  }

  void took(double time, TaskTimes.Shares tasks) {
    seconds.add(time);
    shares = shares.plus(tasks);
  }

  boolean isMeasured() {
    return !seconds.isEmpty();
  }

  double gigaCellsPerSecond() {
    return cells / Quantiles.median(seconds) * 1e-9;
  }

  /** Returns where the tasks' time went, for the note. */
  String timeNote(double copied) {
    return isOurs()
        ? String.format(
            Locale.ROOT,
            "; %.0f %% of the tasks' time in the engine's calls, waiting included; bound by %s",
            100 * shares.inEngine(),
            bound(copied))
        : "";
  }

  /** Returns what most of the time goes to, where the copy makes {@code copied} G cells/s. */
  private String bound(double copied) {
    if (!work.isIterated() && gigaCellsPerSecond() >= MOST_OF_COPY * copied) {
      return "the source, which the copy reads no faster";
    }
    return shares.inEngine() >= 0.5 ? "the engine's calls" : "copying rows in and results out";
  }

  /**
   * Returns the row of this query against {@code peer}. Where both were measured in the same turns,
   * the ratio is the median of the turns', since a machine can be slow for some turns altogether.
   */
  BenchmarkRow against(ArrayQuery peer, String note) {
    double ratio = gigaCellsPerSecond() / peer.gigaCellsPerSecond();
    if (seconds.size() == peer.seconds.size()) {
      ratio =
          Quantiles.of(
              IntStream.range(0, seconds.size())
                  .mapToDouble(
                      turn -> cells / seconds.get(turn) / (peer.cells / peer.seconds.get(turn))),
              0.5);
    }
    return row(ratio, peer.subject, note);
  }

  /** Returns the row of this query against a limit in G cells/s. */
  BenchmarkRow against(double limit, String limitName, String note) {
    return row(gigaCellsPerSecond() / limit, limitName, note);
  }

  private BenchmarkRow row(double ratio, String against, String note) {
    return new BenchmarkRow(
        name,
        subject,
        against,
        gigaCellsPerSecond(),
        work != null && work.isIterated() ? "G cell-steps/s" : "G cells/s",
        ratio,
        Quantiles.spread(seconds),
        seconds.size(),
        checked,
        note);
  }
}
