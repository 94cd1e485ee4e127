/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.jobs.survey.result.SurveyFile;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import java.util.Optional;

/**
 * What a task says of a device of its executor.
 *
 * @param host where the executor runs
 * @param address the device's address there; empty if the executor has none
 * @param text the survey as JSON, or null
 * @param failure why there is no survey, or null
 */
record DeviceAnswer(String host, String address, String text, String failure) {
  /** Returns what {@link #fields} has made of an outcome. */
  static DeviceAnswer of(String[] fields) {
    return new DeviceAnswer(fields[0], fields[1], fields[2], fields[3]);
  }

  /** Returns the outcome as it travels: Kryo, which sessions may have, cannot read records. */
  String[] fields() {
    return new String[] {host, address, text, failure};
  }

  static DeviceAnswer of(String host, String address, SurveyResult result) {
    return new DeviceAnswer(host, address, SurveyFile.text(result), null);
  }

  static DeviceAnswer failed(String host, String address, String why) {
    return new DeviceAnswer(host, address, null, why);
  }

  /** Returns the survey, if there is one. */
  Optional<SurveyResult> result() {
    return Optional.ofNullable(text).map(json -> SurveyFile.parse(json, "the survey of " + host));
  }
}
