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
        Members.constant(Reduction.class, entry, "reduction"),
        Members.of(entry, "width").asInt(),
        Members.constant(ElementType.class, entry, "type"),
        Members.constant(Accuracy.class, entry, "accuracy"),
        Members.of(entry, "nullable").asBoolean());
  }

  static TunedSchedule read(JsonObject entry) {
    KernelSchedule schedule =
        new KernelSchedule(
            Members.constant(StagingStrategy.class, entry, "staging"),
            Members.of(entry, "threadsPerBlock").asInt(),
            Members.of(entry, "cellsPerThread").asInt(),
            Members.of(entry, "vectorBytes").asInt(),
            Members.constant(CoefficientPlacement.class, entry, "coefficients"),
            Members.constant(ReductionForm.class, entry, "form"),
            Members.constant(CacheHints.class, entry, "hints"),
            Members.of(entry, "registerBudget").asInt(),
            Members.of(entry, "persistingMebibytes").asInt());
    return new TunedSchedule(
        schedule, Members.of(entry, "cells").asInt(), Members.of(entry, "millis").asDouble());
  }
}
