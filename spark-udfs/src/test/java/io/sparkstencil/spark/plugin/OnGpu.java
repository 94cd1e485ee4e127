/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.cuda.CudaDriver;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Marks tests of Spark on a GPU, which are skipped, with the reason printed, without one. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("gpu")
@ExtendWith(OnGpu.Condition.class)
@interface OnGpu {
  /** Asks the driver. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      Optional<String> reason = CudaDriver.get().unavailableReason();
      if (reason.isEmpty()) {
        return ConditionEvaluationResult.enabled("on " + CudaDriver.get().devices());
      }
      if (context.getTestMethod().isEmpty()) {
        System.out.println("skipped " + context.getDisplayName() + ": " + reason.get());
      }
      return ConditionEvaluationResult.disabled(reason.get());
    }
  }
}
