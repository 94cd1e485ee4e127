/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.page;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/**
 * The figures in short, each from rows of results: some for the README, all for the page.
 *
 * @param files the results
 */
record ReadmeTable(ResultFiles files) {
  private static final String H200 = "h200";
  private static final String TWO_CORES = "two-cores";
  private static final String LINK = "link both ways";
  private static final String TIMES = " times as fast as Spark";
  private static final String UNPARTITIONED = "sql/avg/unpartitioned/8000000/k=8";
  private static final String BY_ROWS_PER_SECOND = ", by rows per second";

  /** Returns how many times as fast as Spark the CPU engine is, for the README. */
  String inBrief() {
    StringBuilder text = new StringBuilder();
    text.append("| | 2 cores | 16 cores |\n|---|---:|---:|\n");
    row(
        text,
        "window without `PARTITION BY`",
        Figure.of(ratio(TWO_CORES, UNPARTITIONED, "sql")),
        Figure.of(ratio(H200, UNPARTITIONED, "cpu")));
    row(
        text,
        "over many series",
        Figure.of(ratio(TWO_CORES, "suite/mean/8000000", "sql")),
        Figure.of(ratio(H200, "sql/avg/partitioned/64000000/k=8", "cpu")));
    row(
        text,
        "running sums and ranks",
        runningRange(TWO_CORES, "8000000"),
        runningRange(H200, "64000000"));
    return text.toString();
  }

  /** Returns the table of the page. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("| | 2 cores, no GPU | 16 cores and one H200 |\n|---|---|---|\n");
    row(
        text,
        "window without `PARTITION BY`, k = 8, 8 M rows",
        unpartitioned(TWO_CORES, "sql"),
        unpartitioned(H200, "cpu"));
    row(text, "the same over 64 M rows", "", largeUnpartitioned());
    row(
        text,
        "window over 256 or 1024 series, k = 8",
        suite("mean"),
        series("partitioned/64000000") + rapids("partitioned/64000000"));
    row(
        text,
        "the same from rows in random order",
        suite("mean-of-random-order"),
        series("shuffled/64000000") + rapids("shuffled/64000000"));
    row(text, "running sums and ranks over one series", runningOnTwoCores(), runningOnH200());
    row(
        text,
        "window over ordered rows, the order declared or known to Spark",
        ordered(),
        orderedRate());
    row(text, "`float[]` of an RDD to the GPU and back, k = 1 to 32", "", pipeline());
    row(text, "GPU kernels alone: sliding mean (fast), min, max up to k = 256", "", kernels());
    return text.toString();
  }

  private static void row(StringBuilder text, String work, String twoCores, String h200) {
    text.append("| %s | %s | %s |%n".formatted(work, twoCores, h200));
  }

  private double ratio(String machine, String work, String subject) {
    return files.row(machine, work, subject, "spark").ratio();
  }

  private String unpartitioned(String machine, String subject) {
    return Figure.of(ratio(machine, UNPARTITIONED, subject)) + TIMES;
  }

  private String largeUnpartitioned() {
    String work = "sql/avg/unpartitioned/64000000/k=8";
    return "%s s; the RAPIDS Accelerator %s s"
        .formatted(
            Figure.of(files.row(H200, work, "cpu", "cpu").value()),
            Figure.of(files.row(H200, work, "rapids", "cpu").value()));
  }

  private String suite(String query) {
    return Figure.of(ratio(TWO_CORES, "suite/" + query + "/8000000", "sql"))
        + TIMES
        + BY_ROWS_PER_SECOND;
  }

  private String series(String work) {
    return Figure.of(ratio(H200, "sql/avg/" + work + "/k=8", "cpu")) + TIMES;
  }

  private String rapids(String work) {
    return "; the RAPIDS Accelerator is %s times as fast as this"
        .formatted(Figure.of(files.row(H200, "sql/avg/" + work + "/k=8", "rapids", "cpu").ratio()));
  }

  private String runningOnTwoCores() {
    return runningRange(TWO_CORES, "8000000") + TIMES;
  }

  private String runningOnH200() {
    return runningRange(H200, "64000000") + TIMES + BY_ROWS_PER_SECOND;
  }

  private String runningRange(String machine, String rows) {
    List<BenchmarkRow> found =
        files.rows(
            machine,
            "running/(rank|row-number|sum-long|sum-double)/all/feed/" + rows,
            row -> row.subject().equals("sql") && row.against().equals("spark"));
    return Figure.range(found, BenchmarkRow::ratio);
  }

  private String ordered() {
    return Figure.of(ratio(TWO_CORES, "sql/avg/ordered/8000000/k=8", "sql")) + TIMES;
  }

  private String orderedRate() {
    double seconds = files.row(H200, "sql/avg/ordered/64000000/k=8", "cpu", "cpu").value();
    return Figure.of(64 / seconds) + " M rows/s";
  }

  private String pipeline() {
    List<BenchmarkRow> found =
        files.rows(
            H200,
            "pipeline/mean/exact/f32/k=(1|8|32)",
            row -> row.subject().equals("gpu") && row.against().equals(LINK));
    DoubleSummaryStatistics rates =
        found.stream().mapToDouble(BenchmarkRow::value).summaryStatistics();
    double link = found.get(0).value() / found.get(0).ratio();
    return String.format(
        Locale.ROOT,
        "%.1f to %.1f G cells/s, of %.1f that the link carries",
        rates.getMin(),
        rates.getMax(),
        link);
  }

  private String kernels() {
    return "at least %s of the speed of the fastest copy; %s for doubles"
        .formatted(leastOfCopy("f32"), leastOfCopy("f64"));
  }

  private String leastOfCopy(String type) {
    double least =
        files
            .rows(
                H200,
                "kernel/(mean/fast|min/exact|max/exact)/" + type + "/k=\\d+",
                row -> row.subject().equals("tuned") && row.against().equals("copy limit"))
            .stream()
            .mapToDouble(BenchmarkRow::ratio)
            .min()
            .orElseThrow();
    return String.format(Locale.ROOT, "%.2f", least);
  }
}
