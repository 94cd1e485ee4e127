/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;

/** What plans say of the windows of an operator. */
final class WindowText {
  private WindowText() {}

  /**
   * Returns at most {@code most} windows, none if that is below 0, with their names, their order
   * and how they are run.
   */
  static String of(StencilExec operator, int most) {
    List<NamedExpression> all = ScalaInterop.list(operator.windows());
    List<String> texts = new ArrayList<>();
    for (NamedExpression each : all.subList(0, Math.max(0, Math.min(most, all.size())))) {
      texts.add(each.toString());
    }
    int left = all.size() - texts.size();
    if (left > 0) {
      texts.add("... %d more".formatted(left));
    }
    return texts + operator.order().text() + remark(operator);
  }

  private static String remark(StencilExec operator) {
    if (operator.isStencils()) {
      String engine = ", engine " + operator.stencils().conf().get(StencilOptions.ENGINE);
      return ofStencils(operator) + engine;
    }
    return operator.takesWholeSeries() ? ofSeries(operator) : ofRanges(operator);
  }

  /** Says what stencils shuffle, and before {@link SeriesColumnsRule} what they are going to. */
  private static String ofStencils(StencilExec operator) {
    if (operator.place() == WindowPlace.AS_THEY_COME) {
      return " (as the rows are)";
    } else if (operator.sortsRanges()) {
      return " (known, nothing is shuffled)";
    } else if (operator.isShuffling()) {
      return SeriesWay.text(ColumnSource.of(operator.child()) != null, true);
    }
    return operator.isSpreading() && operator.way().isColumns()
        ? SeriesWay.text(operator.columns() != null, true)
        : "";
  }

  private static String ofSeries(StencilExec operator) {
    if (!operator.isShuffling()) {
      return "";
    }
    LoopPlan.Choice loops = operator.loops();
    if (loops.isLoops()) {
      return ", shuffled as columns, with columns of results";
    }
    return operator.mixed() == null
        ? ", shuffled as columns, with rows of results as " + loops.reason()
        : ", shuffled as columns, with columns of results but for " + loops.reason();
  }

  private static String ofRanges(StencilExec operator) {
    if (operator.hasRanges()) {
      return " (known, nothing is shuffled)";
    }
    boolean fromColumns = operator.columns() != null;
    if (operator.way().isColumns()) {
      return SeriesWay.text(fromColumns, true);
    }
    String text = fromColumns ? SeriesWay.text(true, false) : "";
    LoopPlan.Choice loops = operator.isSpreading() ? operator.loops() : null;
    return loops == null || loops.isLoops()
        ? text
        : text + ", with rows of results as " + loops.reason();
  }
}
