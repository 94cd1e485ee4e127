/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.List;

/** One measured kernel of a program as a flat JSON object: what it holds for, name and time. */
final class ProgramJson {
  private ProgramJson() {}

  static JsonObject write(TunedFields fields, TunedKernel measured) {
    JsonArray sizes = Json.array();
    fields.sizes().forEach(sizes::add);
    return new JsonObject()
        .add("program", fields.program())
        .add("text", measured.text())
        .add("type", fields.type().name())
        .add("sizes", sizes)
        .add("kernel", measured.kernel())
        .add("millisPerStep", measured.millisPerStep());
  }

  static TunedFields readFields(JsonObject entry) {
    List<Integer> sizes = new ArrayList<>();
    for (JsonValue size : JsonMembers.of(entry, "sizes").asArray()) {
      sizes.add(size.asInt());
    }
    return new TunedFields(
        JsonMembers.of(entry, "program").asString(),
        JsonMembers.constant(ElementType.class, entry, "type"),
        sizes);
  }

  static TunedKernel read(JsonObject entry) {
    return new TunedKernel(
        JsonMembers.of(entry, "kernel").asString(),
        JsonMembers.of(entry, "millisPerStep").asDouble(),
        JsonMembers.of(entry, "text").asString());
  }
}
