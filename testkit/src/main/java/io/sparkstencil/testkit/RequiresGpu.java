/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
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
import org.junit.jupiter.api.parallel.ResourceLock;

/** Marks tests that run on a GPU and are skipped, with the reason printed, where there is none. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("gpu")
@ExtendWith(RequiresGpu.Condition.class)
@ResourceLock("gpu") // its memory is for one of them at a time
public @interface RequiresGpu {
  /** Asks the engine for GPUs; fails where there is none to ask. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      EngineProvider gpu =
          Engines.discover().stream()
              .filter(provider -> provider.name().equals(Engines.GPU))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("no GPU engine on the class path"));
      Optional<String> reason = gpu.unavailableReason();
      if (reason.isEmpty()) {
        return ConditionEvaluationResult.enabled("on GPUs " + gpu.devices());
      }
      System.out.println("skipped " + context.getDisplayName() + ": " + reason.get());
      return ConditionEvaluationResult.disabled(reason.get());
    }
  }
}
