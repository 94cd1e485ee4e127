/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * A line on the terminal that shows how many of the tasks known so far are done. It appears once a
 * job has run for a while, and never where the error stream is not a terminal.
 */
public final class StageProgress extends SparkListener {
  /**
   * Set by the launcher where the error stream is a terminal: its width. Java itself cannot tell.
   */
  private static final String COLUMNS_VARIABLE = "STENCIL_TERMINAL_COLUMNS";

  private static final int LEAST_COLUMNS = 40;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final SparkSession session;
  private final String title;
  private final int columns;
  private final long startNanos = System.nanoTime();
  private ProgressBar bar;
  private long knownTasks;
  private long doneTasks;
  private boolean closed;

  private StageProgress(SparkSession session, String title, int columns) {
    this.session = session;
    this.title = title;
    this.columns = columns;
  }

  /** Shows the progress of {@code session}'s jobs until closed. */
  public static StageProgress show(SparkSession session, String title) {
    StageProgress progress = new StageProgress(session, title, terminalColumns());
    if (progress.columns > 0) {
      session.sparkContext().addSparkListener(progress);
    }
    return progress;
  }

  private static int terminalColumns() {
    String given = System.getenv(COLUMNS_VARIABLE);
    if (given != null && given.matches("\\d{1,6}")) {
      return Math.max(LEAST_COLUMNS, Integer.parseInt(given));
    }
    return 0;
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    knownTasks += submitted.stageInfo().numTasks();
    update();
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd ended) {
    if (ended.taskInfo().successful()) {
      doneTasks++;
      update();
    }
  }

  private void update() {
    if (closed || System.nanoTime() - startNanos < PATIENCE.toNanos()) {
      return;
    }
    if (bar == null) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(title)
              .setUnit(" tasks", 1)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(250)
              .setInitialMax(knownTasks)
              .setConsumer(new ConsoleProgressBarConsumer(System.err, columns - 1))
              .build();
    }
    bar.maxHint(knownTasks);
    bar.stepTo(doneTasks);
  }

  /** Takes the line away. */
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      if (bar != null) {
        bar.close();
      }
    }
    if (columns > 0) {
      session.sparkContext().removeSparkListener(this);
    }
  }
}
