/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.SurveyedDevice;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What pages say of a device before what was measured on it. */
final class DeviceFacts {
  private DeviceFacts() {}

  /** Returns names and values. */
  static Map<String, String> of(SurveyedDevice device, String version) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Name", device.name());
    facts.put("Host", device.host());
    facts.put("Bus id", device.busId());
    facts.put("UUID", device.uuid());
    facts.put("CUDA of the driver", device.driver());
    facts.put("Compute capability", device.capability());
    facts.put("Multiprocessors", Integer.toString(device.multiprocessors()));
    facts.put("Memory", Figures.bytes((double) device.memoryBytes()));
    facts.put("Second-level cache", Figures.bytes((double) device.cacheBytes()));
    facts.put("Clock, measured", Figures.plain(device.clockMegahertz()) + " MHz");
    facts.put("Measured by", "Spark Stencil " + version);
    return facts;
  }

  /** Returns the word for a verdict. */
  static String word(Claim.Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT);
  }
}
