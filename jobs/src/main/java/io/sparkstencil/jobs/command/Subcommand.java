/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

/**
 * A command of {@code stencil} whose classes lie in a jar beside its own; found by {@link
 * java.util.ServiceLoader}.
 */
public interface Subcommand {
  /** Returns the command, as it is before a call: an object with the annotations of picocli. */
  Object command();
}
