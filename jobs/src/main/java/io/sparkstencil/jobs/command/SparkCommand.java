/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that runs on Spark: the options and the streams that all of them have. */
public abstract class SparkCommand implements Callable<Integer> {
  @Spec private CommandSpec command;
  @Mixin private SparkArguments sparkOptions;

  /** Returns how Spark is reached. */
  public final SparkArguments sparkOptions() {
    return sparkOptions;
  }

  /** Returns the files and folders that the command writes, as its user has named them. */
  public List<String> places() {
    return List.of();
  }

  /**
   * Returns the options that are missing beside those that each call has to give, such as one of
   * two, in words.
   */
  public List<String> missingOptions() {
    return List.of();
  }

  /**
   * Checks options as far as that is possible without files, those that have to be given but for
   * the output being there.
   *
   * @throws io.sparkstencil.error.InvalidStencilException with the first fault
   */
  public void requireOptions() {}

  /** Returns where results go. */
  public final PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Returns where notes go. */
  public final PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** Tells the user something that is no error. */
  protected final void note(String text) {
    sparkOptions.note(text);
  }
}
