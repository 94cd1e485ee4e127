/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.kernels.gpu.GpuOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
  void add(PipelineWork work, Map<String, List<Double>> rates, String note) {
    List<String> subjects = List.copyOf(rates.keySet());
    for (int i = 0; i < subjects.size(); i++) {
      String subject = subjects.get(i);
      int last = subjects.size() - 1;
      for (String peer : subjects.subList(Math.min(i + 1, last), subjects.size())) {
        add(
            work,
            rates.get(subject),
            subject,
            label(peer),
            Quantiles.median(rates.get(peer)),
            note);
      }
      if (subject.equals(GPU)) {
        double limit = LINK_BYTES_PER_SECOND / work.type().bytes() * 1e-9 * (one ? 1 : devices);
        add(work, rates.get(subject), subject, "link both ways", limit, note);
      }
    }
  }

  private void add(
      PipelineWork work,
      List<Double> rates,
      String subject,
      String against,
      double peer,
      String note) {
    BenchmarkRow row =
        BenchmarkRow.of(
            "pipeline/" + work,
            label(subject),
            against,
            rates,
            "G cells/s",
            Quantiles.median(rates) / peer,
            true,
            note);
    rows.add(row);
    System.out.printf(
        Locale.ROOT,
        "%s %s: %.2f %s, %.2f of %s%n",
        row.name(),
        row.subject(),
        row.value(),
        row.unit(),
        row.ratio(),
        row.against());
  }

  /** Returns all rows, and, of several GPUs, one against the rate of one GPU in {@code earlier}. */
  List<BenchmarkRow> withThoseAgainstOneGpu(List<BenchmarkRow> earlier) {
    List<BenchmarkRow> all = new ArrayList<>(rows);
    for (BenchmarkRow before : one ? List.<BenchmarkRow>of() : earlier) {
      rows.stream()
          .filter(row -> row.name().equals(before.name()) && row.subject().equals(label(false)))
          .filter(row -> before.subject().equals(label(true)))
          .findFirst()
          .ifPresent(row -> all.add(compared(row, before)));
    }
    return all;
  }

  private static BenchmarkRow compared(BenchmarkRow row, BenchmarkRow peer) {
    return new BenchmarkRow(
        row.name(),
        row.subject(),
        peer.subject(),
        row.value(),
        row.unit(),
        row.value() / peer.value(),
        row.spread(),
        row.repeats(),
        row.checked(),
        row.note());
  }
}
