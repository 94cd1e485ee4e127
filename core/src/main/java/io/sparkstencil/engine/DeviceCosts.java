/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

/**
 * What work on a device costs beside the work itself.
 *
 * @param linkBytesPerSecond copies between host and device in both directions, all together; 0 if
 *     that is not known
 * @param launchSeconds one of many launches in a row; 0 if that is not known
 */
public record DeviceCosts(double linkBytesPerSecond, double launchSeconds) {
  /** Nothing is known. */
  public static final DeviceCosts UNKNOWN = new DeviceCosts(0, 0);
}
