/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.StencilEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the faulty engine, before all others, where a {@link FaultPlan} enables it. A module that
 * tests with it names this class under {@code META-INF/services} of its tests.
 */
public final class FaultyEngineProvider implements EngineProvider {
  private static final int RANK = 1000;

  private final FaultPlan plan = FaultPlan.ofProcess();

  @Override
  public String name() {
    return FaultyEngine.NAME;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Optional<String> unavailableReason() {
    return plan.enabled ? Optional.empty() : Optional.of("no test has enabled it");
  }

  @Override
  public List<String> devices() {
    return plan.enabled ? plan.devices : List.of();
  }

  @Override
  public StencilEngine open(Map<String, String> options) {
    return new FaultyEngine(
        plan,
        options.getOrDefault(EngineProvider.DEVICE_OPTION, plan.devices.get(0)),
        () -> Engines.select(plan.below).open(options));
  }
}
