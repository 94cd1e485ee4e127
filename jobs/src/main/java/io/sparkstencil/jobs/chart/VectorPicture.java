/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.awt.Dimension;
import java.awt.Graphics2D;
import java.util.function.Consumer;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A drawing as an element of SVG, which stands in a file of its own or within a page. */
public final class VectorPicture {
  private static final String SVG = "http://www.w3.org/2000/svg";

  /** Decimals of a pixel: enough for the outlines of letters. */
  private static final int DECIMALS = 2;

  private VectorPicture() {}

  /** What a picture shows, for those who hear it, and its size. */
  public record Frame(String title, int widthPixels, int heightPixels) {}

  /**
   * Draws a picture.
   *
   * @param name unique among the pictures of a page, letters, digits and hyphens
   * @return the root of a new document
   */
  public static Element draw(String name, Frame frame, Consumer<Graphics2D> painter) {
    Document document = emptyDocument();
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setComment(null);
    context.setPrecision(DECIMALS);
    context.setIDGenerator(
        new SVGIDGenerator() { // the parts of several pictures on a page need names of their own
          @Override
          public String generateID(String prefix) {
            return name + "-" + super.generateID(prefix);
          }
        });
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(frame.widthPixels(), frame.heightPixels()));
    try {
      painter.accept(graphics);
      Element root = graphics.getRoot();
      complete(root, frame);
      return root;
    } finally {
      graphics.dispose();
    }
  }

  private static void complete(Element root, Frame frame) {
    root.setAttribute("viewBox", "0 0 %d %d".formatted(frame.widthPixels(), frame.heightPixels()));
    root.setAttribute("role", "img");
    root.setAttribute("aria-label", frame.title());
    Element title = root.getOwnerDocument().createElementNS(SVG, "title");
    title.setTextContent(frame.title());
    root.insertBefore(title, root.getFirstChild());
    var definitions = root.getElementsByTagNameNS(SVG, "defs");
    for (int i = 0; i < definitions.getLength(); i++) {
      ((Element) definitions.item(i)).removeAttribute("id"); // the same in each picture
    }
  }

  private static Document emptyDocument() {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("this JVM has no XML", e);
    }
  }
}
