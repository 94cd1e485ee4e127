/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import io.sparkstencil.spark.catalyst.lines.SparkPages;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.SparkContext;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils;
import org.apache.spark.ui.WebUIPage;
import scala.Function0;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.OptionConverters;
import scala.xml.Node;
import scala.xml.Unparsed;

/** A tab among those of Spark's web pages. */
public final class UiTab extends SparkUITab {
  private UiTab(SparkUI ui, String prefix, String title, UnaryOperator<String> html) {
    super(ui, prefix);
    attachPage(new Page(this, title, html));
  }

  /**
   * Adds a tab, if the application has web pages.
   *
   * @param prefix the last part of its address, and in capitals its name
   * @param title above its page
   * @param html makes the page, from what comes before the addresses of Spark's other pages
   */
  public static void attach(
      SparkContext context, String prefix, String title, UnaryOperator<String> html) {
    Optional<SparkUI> ui = OptionConverters.toJava(context.ui());
    ui.ifPresent(pages -> pages.attachTab(new UiTab(pages, prefix, title, html)));
  }

  private static final class Page extends WebUIPage {
    private final UiTab tab;
    private final String title;
    private final UnaryOperator<String> html;

    Page(UiTab tab, String title, UnaryOperator<String> html) {
      super("");
      this.tab = tab;
      this.title = title;
      this.html = html;
    }

    @Override
    public Seq<Node> render(HttpServletRequest request) {
      String base = UIUtils.prependBaseUri(request, tab.basePath(), "");
      Function0<Seq<Node>> content = () -> ScalaInterop.seqOf(new Unparsed(html.apply(base)));
      return SparkPages.page(request, title, content, tab);
    }
  }
}
