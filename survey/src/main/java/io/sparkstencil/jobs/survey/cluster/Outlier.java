/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.survey.SurveyedDevice;

/**
 * A device that falls out of line.
 *
 * @param device the device
 * @param kind in what
 * @param text by how much
 */
record Outlier(SurveyedDevice device, Difference kind, String text) {
  /** In what a device differs from others. */
  enum Difference {
    /** It is slower than devices of the same name, by more than these differ. */
    SLOW,
    /** Its link to the host has about half the rate of theirs: fewer lanes, or an older speed. */
    NARROW_LINK,
    /** Its driver is not that of most devices. */
    DRIVER
  }
}
