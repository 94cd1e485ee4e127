/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.error.ShownText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/**
 * Writes what a terminal shows: errors and notes, whatever names and values they repeat. Control
 * characters are written out, but for tabs and ends of lines.
 */
public final class PrintableWriter extends FilterWriter {
  public PrintableWriter(Writer out) {
    super(out);
  }

  @Override
  public void write(int character) throws IOException {
    out.write(ShownText.printable(String.valueOf((char) character)));
  }

  @Override
  public void write(char[] characters, int from, int count) throws IOException {
    out.write(ShownText.printable(new String(characters, from, count)));
  }

  @Override
  public void write(String text, int from, int count) throws IOException {
    out.write(ShownText.printable(text.substring(from, from + count)));
  }
}
