/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.CoefficientPlacement;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.ReductionForm;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.kernels.variant.TunedShape;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;

/** One measured schedule as a flat JSON object: what it holds for, the schedule, the figures. */
final class ScheduleJson {
  private ScheduleJson() {}

  static JsonObject write(TunedShape shape, TunedSchedule measured) {
    KernelSchedule schedule = measured.schedule();
    return new JsonObject()
        .add("reduction", shape.reduction().name())
        .add("width", shape.width())
        .add("type", shape.type().name())
        .add("accuracy", shape.accuracy().name())
        .add("nullable", shape.nullable())
        .add("staging", schedule.staging().name())
        .add("threadsPerBlock", schedule.threadsPerBlock())
        .add("cellsPerThread", schedule.cellsPerThread())
        .add("vectorBytes", schedule.vectorBytes())
        .add("coefficients", schedule.coefficients().name())
        .add("form", schedule.form().name())
        .add("hints", schedule.hints().name())
        .add("registerBudget", schedule.registerBudget())
        .add("persistingMebibytes", schedule.persistingMebibytes())
        .add("cells", measured.cells())
        .add("millis", measured.millis());
  }

  static TunedShape readShape(JsonObject entry) {
    return new TunedShape(
        constant(Reduction.class, entry, "reduction"),
        member(entry, "width").asInt(),
        constant(ElementType.class, entry, "type"),
        constant(Accuracy.class, entry, "accuracy"),
        member(entry, "nullable").asBoolean());
  }

  static TunedSchedule read(JsonObject entry) {
    KernelSchedule schedule =
        new KernelSchedule(
            constant(StagingStrategy.class, entry, "staging"),
            member(entry, "threadsPerBlock").asInt(),
            member(entry, "cellsPerThread").asInt(),
            member(entry, "vectorBytes").asInt(),
            constant(CoefficientPlacement.class, entry, "coefficients"),
            constant(ReductionForm.class, entry, "form"),
            constant(CacheHints.class, entry, "hints"),
            member(entry, "registerBudget").asInt(),
            member(entry, "persistingMebibytes").asInt());
    return new TunedSchedule(
        schedule, member(entry, "cells").asInt(), member(entry, "millis").asDouble());
  }

  private static JsonValue member(JsonObject entry, String name) {
    JsonValue value = entry.get(name);
    if (value == null) {
      throw new IllegalArgumentException("an entry lacks '" + name + "'");
    }
    return value;
  }

  private static <E extends Enum<E>> E constant(Class<E> type, JsonObject entry, String name) {
    return Enum.valueOf(type, member(entry, name).asString());
  }
}
