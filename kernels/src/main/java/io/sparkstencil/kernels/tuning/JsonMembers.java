/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;

/** The members that an entry of a tuning file must have. */
final class JsonMembers {
  private JsonMembers() {}

  static JsonValue of(JsonObject entry, String name) {
    JsonValue value = entry.get(name);
    if (value == null) {
      throw new IllegalArgumentException("an entry lacks '" + name + "'");
    }
    return value;
  }

  static <E extends Enum<E>> E constant(Class<E> type, JsonObject entry, String name) {
    return Enum.valueOf(type, of(entry, name).asString());
  }
}
