/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** A page that stands in one file: its style and its pictures are within it. */
final class Page {
  private final Document document = emptyDocument();
  private final Element main;

  /** Begins a page. */
  Page(String title) {
    Element html = document.createElement("html");
    html.setAttribute("lang", "en");
    document.appendChild(html);
    Element head = add(html, "head", "");
    add(head, "meta", "").setAttribute("charset", "UTF-8");
    Element viewport = add(head, "meta", "");
    viewport.setAttribute("name", "viewport");
    viewport.setAttribute("content", "width=device-width, initial-scale=1");
    add(head, "title", title);
    add(head, "style", style());
    main = add(add(html, "body", ""), "main", "");
    add("h1", title);
  }

  /** Appends an element with a text and returns it. */
  Element add(String name, String text) {
    return add(main, name, text);
  }

  /** Appends an element with a text to another and returns it. */
  Element add(Element parent, String name, String text) {
    Element element = document.createElement(name);
    element.setTextContent(text);
    parent.appendChild(element);
    return element;
  }

  /** Appends an element with a class and a text, and returns it. */
  Element add(Element parent, String name, String kind, String text) {
    Element element = add(parent, name, text);
    element.setAttribute("class", kind);
    return element;
  }

  /** Appends a picture. */
  void addPicture(Element parent, Element picture) {
    Node here = document.importNode(picture, true);
    add(parent, "figure", "").appendChild(here);
  }

  /** Appends a table with a row of heads and returns it; rows follow. */
  Element addTable(Element parent, List<String> heads) {
    Element table = add(parent, "table", "");
    Element row = add(add(table, "thead", ""), "tr", "");
    heads.forEach(head -> add(row, "th", head));
    return add(table, "tbody", "");
  }

  /** Appends a row to a table. */
  Element addRow(Element table, List<String> cells) {
    Element row = add(table, "tr", "");
    cells.forEach(cell -> add(row, "td", cell));
    return row;
  }

  /** Returns the text of the page. */
  String text() {
    try {
      Transformer writer = TransformerFactory.newInstance().newTransformer();
      writer.setOutputProperty(OutputKeys.METHOD, "html");
      writer.setOutputProperty(OutputKeys.INDENT, "no");
      writer.setOutputProperty(OutputKeys.DOCTYPE_SYSTEM, "about:legacy-compat");
      StringWriter text = new StringWriter();
      writer.transform(new DOMSource(document), new StreamResult(text));
      return text.toString();
    } catch (TransformerException e) {
      throw new IllegalStateException("a page cannot be written", e);
    }
  }

  /** Returns the text of a picture that stands alone. */
  static String textOf(Element picture) {
    try {
      Transformer writer = TransformerFactory.newInstance().newTransformer();
      StringWriter text = new StringWriter();
      writer.transform(new DOMSource(picture), new StreamResult(text));
      return text.toString();
    } catch (TransformerException e) {
      throw new IllegalStateException("a picture cannot be written", e);
    }
  }

  private static String style() {
    try (InputStream in = Page.class.getResourceAsStream("survey.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read survey.css", e);
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
