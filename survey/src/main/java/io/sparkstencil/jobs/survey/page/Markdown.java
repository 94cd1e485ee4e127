/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import java.util.Collections;
import java.util.List;

/** A text in Markdown. */
public final class Markdown {
  private final StringBuilder text = new StringBuilder();

  /** Appends a heading. */
  public Markdown heading(int level, String title) {
    return block("#".repeat(level) + " " + title);
  }

  /** Appends a paragraph; an empty one is left out. */
  public Markdown block(String paragraph) {
    if (!paragraph.isEmpty()) {
      text.append(paragraph).append("\n\n");
    }
    return this;
  }

  /** Appends a table; without rows it is left out. */
  public Markdown table(List<String> heads, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return this;
    }
    row(heads);
    row(Collections.nCopies(heads.size(), "---"));
    rows.forEach(this::row);
    text.append('\n');
    return this;
  }

  private void row(List<String> cells) {
    text.append('|');
    for (String cell : cells) {
      text.append(' ').append(cell.replace("|", "\\|").replaceAll("\\s*\\R\\s*", " ")).append(" |");
    }
    text.append('\n');
  }

  @Override
  public String toString() {
    return text.toString().stripTrailing() + "\n";
  }
}
