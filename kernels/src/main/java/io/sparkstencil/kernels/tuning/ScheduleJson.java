/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import com.eclipsesource.json.JsonObject;
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
        JsonMembers.constant(Reduction.class, entry, "reduction"),
        JsonMembers.of(entry, "width").asInt(),
        JsonMembers.constant(ElementType.class, entry, "type"),
        JsonMembers.constant(Accuracy.class, entry, "accuracy"),
        JsonMembers.of(entry, "nullable").asBoolean());
  }

  static TunedSchedule read(JsonObject entry) {
    KernelSchedule schedule =
        new KernelSchedule(
            JsonMembers.constant(StagingStrategy.class, entry, "staging"),
            JsonMembers.of(entry, "threadsPerBlock").asInt(),
            JsonMembers.of(entry, "cellsPerThread").asInt(),
            JsonMembers.of(entry, "vectorBytes").asInt(),
            JsonMembers.constant(CoefficientPlacement.class, entry, "coefficients"),
            JsonMembers.constant(ReductionForm.class, entry, "form"),
            JsonMembers.constant(CacheHints.class, entry, "hints"),
            JsonMembers.of(entry, "registerBudget").asInt(),
            JsonMembers.of(entry, "persistingMebibytes").asInt());
    return new TunedSchedule(
        schedule,
        JsonMembers.of(entry, "cells").asInt(),
        JsonMembers.of(entry, "millis").asDouble());
  }
}
