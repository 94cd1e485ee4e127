/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.jobs.command.CellRate;
import io.sparkstencil.spark.grid.GridListener;
import io.sparkstencil.spark.grid.GridProgress;
import java.io.PrintWriter;
import java.util.Locale;

/** One line of a terminal that says how far the steps are, written over again and again. */
final class ProgressLine implements GridListener {
  private static final long NANOS_BETWEEN = 200_000_000;
  private static final int WIDTH = 78;

  private final PrintWriter notes;
  private final PrintWriter terminal; // null where there is none
  private final double cells;
  private final long steps;
  private final long began = System.nanoTime();
  private long first = -1;
  private long written = began - NANOS_BETWEEN;

  /**
   * Begins a line.
   *
   * @param notes where notes are written
   * @param terminal where the line is written, or null for nowhere
   * @param cells those of the grid
   * @param steps the last step, counted from the grid's first
   */
  ProgressLine(PrintWriter notes, PrintWriter terminal, double cells, long steps) {
    this.notes = notes;
    this.terminal = terminal;
    this.cells = cells;
    this.steps = steps;
  }

  @Override
  public void progressed(GridProgress progress) {
    if (first < 0) {
      first = progress.step() - progress.done();
    }
    long now = System.nanoTime();
    if (terminal != null && now - written >= NANOS_BETWEEN) {
      written = now;
      write(text(progress.step(), (now - began) / 1e9));
    }
  }

  @Override
  public void noted(String note) {
    notes.println("stencil: note: " + note);
  }

  /** Returns what the line says. */
  String text(long step, double seconds) {
    long done = step - Math.max(0, first);
    double perSecond = done / seconds;
    return String.format(
        Locale.ROOT,
        "%,d of %,d steps, %s/s, %.0f s left",
        step,
        steps,
        CellRate.text(perSecond * cells),
        (steps - step) / perSecond);
  }

  /** Removes the line. */
  void end() {
    if (terminal != null) {
      write("");
    }
  }

  private void write(String text) {
    terminal.print(("\r%-" + WIDTH + "s\r").formatted(text) + text);
    terminal.flush();
  }
}
