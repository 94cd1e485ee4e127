/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that runs on Spark: the options and the streams that all of them have. */
abstract class SparkCommand implements Callable<Integer> {
  @Spec private CommandSpec command;
  @Mixin private SparkOptions sparkOptions;

  /** Returns how Spark is reached. */
  final SparkOptions sparkOptions() {
    return sparkOptions;
  }

  /** Returns where results go. */
  final PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Returns where notes go. */
  final PrintWriter err() {
    return command.commandLine().getErr();
  }
}
