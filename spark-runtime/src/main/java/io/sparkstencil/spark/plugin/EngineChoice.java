/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

/** Why a task was given the engine that it tries first. */
public enum EngineChoice {
  /** The query or the configuration names it. */
  ASKED_FOR("requested"),
  /** The process has no other, or none without a device to compare it with. */
  ONLY_ONE("no other engine here"),
  /** It is on a device, which is estimated to be done before the host. */
  DEVICE_FASTER("device estimated faster"),
  /** It is the host's, which is estimated to be done before the device. */
  HOST_FASTER("host estimated faster");

  private final String text;

  EngineChoice(String text) {
    this.text = text;
  }

  /** Returns the choice in words. */
  public String text() {
    return text;
  }

  /** Returns the name under which Spark's metrics count it. */
  String metric() {
    return "choices." + name();
  }
}
