/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.jobs.survey.page.Markdown;
import io.sparkstencil.jobs.survey.page.SurveyFiles;
import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.jobs.survey.result.WholeFile;
import io.sparkstencil.survey.SurveyedDevice;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The surveys of a cluster for people: a table by host and device, and what falls out of line. */
public final class ClusterReport {
  private static final List<String> HEADS =
      List.of("Host", "Bus id", "Device", "CUDA", "Clock", "Speed", "Outlier");

  /** Lines that are printed of a device and a kind. */
  private static final int MOST_LINES = 3;

  private final ClusterFindings findings;
  private final List<Outlier> outliers;

  /** Creates the report of what was found. */
  public ClusterReport(ClusterFindings findings) {
    this.findings = findings;
    this.outliers = Outliers.of(findings.results());
  }

  /** Prints the table, a line for each outlier, and one for each device without a survey. */
  public void print(PrintWriter out) {
    String row = "%-20s %-14s %-26s %-6s %9s %6s  %s%n";
    out.printf(row, HEADS.toArray());
    rows().forEach(cells -> out.printf(row, cells.toArray()));
    printOutliers(out);
    findings.failures().forEach(failure -> out.println("no survey of " + failure));
  }

  /** A slow device is slow in most that it does. */
  private void printOutliers(PrintWriter out) {
    Map<String, List<Outlier>> byPlaceAndKind =
        outliers.stream()
            .collect(
                Collectors.groupingBy(
                    outlier -> place(outlier.device()) + " " + word(outlier.kind()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    byPlaceAndKind.forEach(
        (what, found) -> {
          found.stream().limit(MOST_LINES).forEach(each -> out.println(what + ": " + each.text()));
          if (found.size() > MOST_LINES) {
            out.println("%s: %d more in cluster.md".formatted(what, found.size() - MOST_LINES));
          }
        });
  }

  /** Writes a folder with the survey of each device, and the table beside them. */
  public void write(Path folder) throws IOException {
    Set<String> named = new HashSet<>();
    for (SurveyResult result : findings.results()) {
      SurveyFiles files = new SurveyFiles(folder.resolve(folderName(result.device(), named)));
      WholeFile.requireFolder(files.folder());
      files.write(result);
    }
    WholeFile.write(folder.resolve("cluster.md"), text());
  }

  private String text() {
    Markdown text = new Markdown().heading(1, "GPUs of a cluster").table(HEADS, rows());
    text.block(
        "Speed is the median over all curves, beside the devices of the same name. Each device has"
            + " a folder with its own survey.");
    if (!outliers.isEmpty()) {
      text.heading(2, "Outliers")
          .table(
              List.of("Device", "Kind", "By how much"),
              outliers.stream()
                  .map(each -> List.of(place(each.device()), word(each.kind()), each.text()))
                  .toList());
    }
    if (!findings.failures().isEmpty()) {
      text.heading(2, "Without a survey");
      text.table(List.of("Where and why"), findings.failures().stream().map(List::of).toList());
    }
    return text.toString();
  }

  private List<List<String>> rows() {
    Map<SurveyedDevice, Double> speeds = Outliers.relativeSpeeds(findings.results());
    List<List<String>> rows = new ArrayList<>();
    for (SurveyResult result : findings.results()) {
      SurveyedDevice device = result.device();
      rows.add(
          List.of(
              device.host(),
              device.busId(),
              device.name(),
              device.driver(),
              Figures.plain(device.clockMegahertz()) + " MHz",
              Figures.plain(speeds.get(device)),
              remark(device)));
    }
    return rows;
  }

  private String remark(SurveyedDevice device) {
    String kinds =
        outliers.stream()
            .filter(outlier -> outlier.device().equals(device))
            .map(outlier -> word(outlier.kind()))
            .distinct()
            .collect(Collectors.joining(", "));
    return kinds.isEmpty() ? "-" : kinds;
  }

  private static String place(SurveyedDevice device) {
    return device.host() + " " + device.busId();
  }

  private static String word(Outlier.Difference kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Containers may have names and buses in common. */
  private static String folderName(SurveyedDevice device, Set<String> named) {
    String name = device.host() + "-" + device.busId();
    return (named.add(name) ? name : name + "-" + device.uuid()).replaceAll("[^A-Za-z0-9.-]", "_");
  }
}
