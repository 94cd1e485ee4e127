/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs on the thread that asks for it, from a level on, until this is closed. */
public final class LogLines extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new ArrayList<>();
  private final long thread = Thread.currentThread().getId(); // others run other tests

  /** Listens to what {@code source} logs, from {@code level} on. */
  public LogLines(Class<?> source, Level level) {
    this.logger = Logger.getLogger(source.getName());
    setLevel(level);
    logger.setLevel(level);
    logger.addHandler(this);
  }

  /** Returns the lines so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void publish(LogRecord line) {
    if (line.getLongThreadID() == thread && isLoggable(line)) {
      lines.add(line.getMessage());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(null);
  }
}
