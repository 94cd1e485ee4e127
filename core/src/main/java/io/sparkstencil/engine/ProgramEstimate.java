/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

/**
 * How long an engine is estimated to take for a run.
 *
 * @param fixedSeconds what every run takes, however small
 * @param copySeconds the time in which cells move to a device and back; 0 on the host
 * @param stepSeconds the time of all steps
 */
public record ProgramEstimate(double fixedSeconds, double copySeconds, double stepSeconds) {
  /** Returns the whole time. */
  public double seconds() {
    return fixedSeconds + copySeconds + stepSeconds;
  }
}
