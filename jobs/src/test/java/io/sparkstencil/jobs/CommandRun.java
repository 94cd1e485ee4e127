/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * The command as its user sees it.
 *
 * @param exitCode what the process would end with
 * @param out the output stream
 * @param err the error stream
 */
public record CommandRun(int exitCode, String out, String err) {
  /** Runs the command within this process. */
  public static CommandRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = StencilCommand.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  public static CommandRun of(List<String> arguments) {
    return of(arguments.toArray(String[]::new));
  }

  /** Returns the lines of the error stream. */
  public List<String> errorLines() {
    return err.lines().toList();
  }
}
