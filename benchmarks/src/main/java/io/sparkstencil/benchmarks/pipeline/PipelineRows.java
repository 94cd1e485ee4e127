/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.kernels.gpu.GpuOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a run of {@link PipelineBenchmark} writes: which GPUs and settings it had is in the name.
 */
final class PipelineRows {
  private static final String GPU = "gpu";
  private static final String GPU_OPTIONS = "spark.stencil.gpu.";

  /** Bytes that the link of one H200 copies each way while it copies as many the other way. */
  private static final double LINK_BYTES_PER_SECOND = 101.6e9 / 2;

  private final List<BenchmarkRow> rows = new ArrayList<>();
  private final Map<String, String> settings;
  private final int devices;
  private final boolean one;

  /**
   * Begins without rows.
   *
   * @param settings of Spark
   * @param devices GPUs that the process sees
   */
  PipelineRows(Map<String, String> settings, int devices) {
    this.settings = Map.copyOf(settings);
    this.devices = devices;
    this.one = devices <= 1 || settings.containsKey(GpuOptions.DEVICE.key());
  }

  /** Returns the subject with what sets it apart, such as {@code gpu, 2 GPUs, streams=4}. */
  private String label(String subject) {
    return subject.equals(GPU) ? label(one) : subject;
  }

  private String label(boolean onOne) {
    String which = devices <= 1 ? "" : onOne ? ", 1 of %d GPUs" : ", %d GPUs";
    return GPU
        + which.formatted(devices)
        + settings.entrySet().stream()
            .filter(each -> each.getKey().startsWith(GPU_OPTIONS))
            .filter(each -> !each.getKey().equals(GpuOptions.DEVICE.key()))
            .map(each -> each.getKey().substring(GPU_OPTIONS.length()) + "=" + each.getValue())
            .sorted()
            .map(each -> ", " + each)
            .collect(Collectors.joining());
  }

  /**
   * Adds the rows of one work.
   *
   * @param rates G cells/s by subject; each is compared with those after it, the last with itself
   * @param note how it was measured
   */
  void add(LoopWork work, Map<String, List<Double>> rates, String note) {
    List<String> subjects = List.copyOf(rates.keySet());
    int last = subjects.size() - 1;
    for (String subject : subjects) {
      BenchmarkRow row =
          BenchmarkRow.of(
              "pipeline/" + work,
              label(subject),
              "",
              rates.get(subject),
              "G cells/s",
              0,
              true,
              note);
      int next = Math.min(subjects.indexOf(subject) + 1, last);
      for (String peer : subjects.subList(next, subjects.size())) {
        double theirs = Quantiles.median(rates.get(peer));
        rows.add(row.against(label(peer), row.value() / theirs));
      }
      if (subject.equals(GPU)) {
        double limit = LINK_BYTES_PER_SECOND / work.type().bytes() * 1e-9 * (one ? 1 : devices);
        rows.add(row.against("link both ways", row.value() / limit));
      }
    }
  }

  /** Returns all rows, and, of several GPUs, one against the rate of one GPU in {@code earlier}. */
  List<BenchmarkRow> withThoseAgainstOneGpu(List<BenchmarkRow> earlier) {
    List<BenchmarkRow> all = new ArrayList<>(rows);
    for (BenchmarkRow before : one ? List.<BenchmarkRow>of() : earlier) {
      rows.stream()
          .filter(row -> row.name().equals(before.name()) && row.subject().equals(label(false)))
          .filter(row -> before.subject().equals(label(true)))
          .findFirst()
          .map(row -> row.against(before.subject(), row.value() / before.value()))
          .ifPresent(all::add);
    }
    return all;
  }
}
