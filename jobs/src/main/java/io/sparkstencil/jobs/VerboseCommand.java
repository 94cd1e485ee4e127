/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

/** A command that can be asked for stack traces. */
interface VerboseCommand {
  /** Tells whether a failure is shown with its stack trace. */
  boolean isVerbose();
}
