/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.conf;

/** When the value of an option is read. */
public enum OptionScope {
  /** Once, when an executor starts; a later change has no effect. */
  EXECUTOR_START("executor start"),
  /** For each query, so the value can change while the session runs. */
  QUERY("query");

  private final String label;

  OptionScope(String label) {
    this.label = label;
  }

  /** Returns a description of the scope. */
  public String label() {
    return label;
  }
}
