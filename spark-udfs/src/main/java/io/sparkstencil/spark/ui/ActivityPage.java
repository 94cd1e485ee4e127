/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.ui;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.spark.plugin.EngineChoice;
import io.sparkstencil.spark.plugin.GridStarted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The page of the tab "Stencil": a table of queries and one of grids.
 *
 * @param base what comes before the addresses of Spark's other pages: a path, or an address of the
 *     web. It may be a header of the request, so anything else counts as none.
 */
record ActivityPage(String base) {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS = 1000;

  private static final Pattern ADDRESS = Pattern.compile("(?:https?:/)?/(?![/\\\\]).*");

  ActivityPage {
    base = ADDRESS.matcher(base).matches() ? escaped(base) : "";
  }

  /** Numbers stand below each other, and only descriptions and programs take several lines. */
  private static final String STYLE =
      """
      <style>
      #stencil-queries td, #stencil-grids td { white-space: nowrap; }
      #stencil-queries td:nth-child(2), #stencil-grids td:nth-child(2) { white-space: normal; }
      #stencil-queries th, #stencil-grids th { vertical-align: bottom; }
      #stencil-queries td:nth-child(4), #stencil-queries td:nth-child(5) { text-align: right; }
      #stencil-queries td:nth-child(n+8) { text-align: right; }
      #stencil-grids td:nth-child(4), #stencil-grids td:nth-child(5) { text-align: right; }
      #stencil-grids td:nth-child(n+7) { text-align: right; }
      </style>
      """;

  /** Returns the page, without Spark's header. */
  String html(List<StencilActivity.Query> queries, List<GridStarted> grids) {
    StringBuilder page = new StringBuilder(STYLE);
    page.append("<h4>Queries (").append(queries.size()).append(")</h4>");
    begin(
        page,
        "stencil-queries",
        "Query|Description|State|Time|Operators|Engines|Why|Rows|Cells|Cells per second|"
            + "GPU: staged|GPU: memory of a task|GPU: copies|GPU: kernels|Fallbacks");
    queries.forEach(query -> row(page, cells(query)));
    page.append("</tbody></table>");
    page.append("<h4>Grids (").append(grids.size()).append(")</h4>");
    begin(
        page,
        "stencil-grids",
        "Grid|Program|State|Blocks|Steps per exchange|Engines|Supersteps of blocks|Replayed|"
            + "Cell steps|Cell steps per second of tasks|Exchange|Faces|On GPUs|On disk");
    grids.forEach(grid -> row(page, cells(grid)));
    return page.append("</tbody></table>").toString();
  }

  private static void begin(StringBuilder page, String id, String columns) {
    page.append("<table id=\"")
        .append(id)
        .append("\" class=\"table table-bordered table-sm table-striped\"><thead><tr>");
    for (String column : columns.split("\\|")) {
      page.append("<th>").append(column).append("</th>");
    }
    page.append("</tr></thead><tbody>");
  }

  private static void row(StringBuilder page, List<String> cells) {
    page.append("<tr>");
    cells.forEach(cell -> page.append("<td>").append(cell).append("</td>"));
    page.append("</tr>");
  }

  private List<String> cells(StencilActivity.Query query) {
    long cells = query.sum("cells");
    String id = escaped(query.id());
    List<String> row = new ArrayList<>();
    row.add("<a href=\"%s/SQL/execution/?id=%s\">%s</a>".formatted(base, id, id));
    row.add(escaped(query.description()));
    row.add(query.running() ? "running" : "done");
    row.add(seconds(query.millis() / MILLIS));
    row.add(count(query.runs().size()));
    row.add(named(engines(query)));
    row.add(named(reasons(query)));
    row.add(count(query.sum("numOutputRows")));
    row.add(count(cells));
    row.add(query.millis() == 0 ? "" : count((long) (cells * MILLIS / query.millis())));
    row.add(bytes(query.sum("gpuTasks") == 0 ? 0 : query.sum("stagedBytes")));
    row.add(bytes(query.deviceBytes()));
    row.add(seconds(query.sum("copyTime") / NANOS_PER_MILLI / MILLIS));
    row.add(seconds(query.sum("kernelTime") / NANOS_PER_MILLI / MILLIS));
    row.add(count(query.sum("fallbacks")));
    return row;
  }

  private static Map<String, Long> engines(StencilActivity.Query query) {
    Map<String, Long> engines = new LinkedHashMap<>();
    for (String engine : List.of(Engines.GPU, Engines.CPU, Engines.REFERENCE)) {
      engines.put(engine, query.sum(engine + "Tasks"));
    }
    return engines;
  }

  private static Map<String, Long> reasons(StencilActivity.Query query) {
    Map<String, Long> reasons = new LinkedHashMap<>();
    reasons.put(EngineChoice.ASKED_FOR.text(), query.sum("askedForTasks"));
    reasons.put(EngineChoice.ONLY_ONE.text(), query.sum("onlyEngineTasks"));
    reasons.put(EngineChoice.DEVICE_FASTER.text(), query.sum("deviceFasterTasks"));
    reasons.put(EngineChoice.HOST_FASTER.text(), query.sum("hostFasterTasks"));
    return reasons;
  }

  private static String named(Map<String, Long> tasks) {
    List<String> named = new ArrayList<>();
    tasks.forEach(
        (name, count) -> {
          if (count > 0) {
            named.add("%s: %s task%s".formatted(name, count(count), count == 1 ? "" : "s"));
          }
        });
    return String.join("<br>", named);
  }

  private static List<String> cells(GridStarted grid) {
    GridStarted.State state = grid.state().get();
    return List.of(
        escaped(grid.cells()),
        "<code>%s</code>".formatted(escaped(grid.program())),
        state.open() ? "open" : "closed",
        count(grid.blocks()),
        count(grid.stepsPerExchange()),
        escaped(String.join(", ", state.engines())),
        count(state.supersteps()),
        count(state.replayed()),
        count(state.cellSteps()),
        state.stepSeconds() == 0 ? "" : count((long) (state.cellSteps() / state.stepSeconds())),
        seconds(state.exchangeSeconds()),
        bytes(state.faceBytes()),
        bytes(state.deviceBytes()),
        bytes(state.diskBytes()));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String seconds(double seconds) {
    return seconds == 0 ? "" : String.format(Locale.ROOT, "%.2f s", seconds);
  }

  private static String bytes(long bytes) {
    return bytes == 0 ? "" : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
