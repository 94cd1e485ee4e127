/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.lines;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.invoke.MethodHandle;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils;
import scala.Function0;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.xml.Node;

/** Spark's web pages, whose frame 4.2 makes with one choice more. */
public final class SparkPages {
  private static final MethodHandle FRAME =
      SparkMembers.onlyFunction(UIUtils.class, "headerSparkPage", 5);

  private SparkPages() {}

  /** Returns a page with Spark's header and tabs around its content. */
  @SuppressWarnings("unchecked") // Spark declares this result on all lines
  public static Seq<Node> page(
      HttpServletRequest request, String title, Function0<Seq<Node>> content, SparkUITab tab) {
    return (Seq<Node>) SparkMembers.call(FRAME, request, title, content, tab, Option.empty());
  }
}
