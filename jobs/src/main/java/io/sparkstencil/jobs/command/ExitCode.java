/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

/** What the process tells its caller when it ends. */
public final class ExitCode {
  /** The work is done. */
  public static final int DONE = 0;

  /** Something failed that is neither of the two below. */
  public static final int FAILED = 1;

  /** The command line is wrong: correct the call. */
  public static final int USAGE = 2;

  /** The data is not what was said about it: correct the data, or what is said. */
  public static final int BAD_DATA = 3;

  private ExitCode() {}
}
