/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The engines of this process: opened on first use, shared by all tasks, open until the process
 * ends.
 */
public final class ProcessEngines {
  private static final Map<String, StencilEngine> OPEN = new LinkedHashMap<>();
  private static final Map<String, List<EngineProvider>> SELECTED = new LinkedHashMap<>();

  private ProcessEngines() {}

  /**
   * Returns the engine for each pipeline of {@code plan}: the preferred one, or the next that does
   * not refuse its stencils.
   *
   * @param name {@code auto} or the name of an engine
   * @param options values of {@code spark.stencil.*} keys
   * @throws UnsupportedStencilException if every engine refuses; the message has the reasons
   */
  public static synchronized List<StencilEngine> select(
      String name, StagePlan plan, Map<String, String> options) {
    List<EngineProvider> usable =
        SELECTED.computeIfAbsent(name, wanted -> Engines.select(wanted).usable());
    List<StencilEngine> chosen = new ArrayList<>();
    for (StagePlan.Pipeline pipeline : plan.pipelines()) {
      chosen.add(select(usable, pipeline.specs(), options));
    }
    return chosen;
  }

  /**
   * Returns the engine for stencils that run together: the preferred one, or the next that refuses
   * none of them.
   *
   * @throws UnsupportedStencilException if every engine refuses; the message has the reasons
   */
  public static synchronized StencilEngine selectFor(
      String name, List<StencilSpec> specs, Map<String, String> options) {
    List<EngineProvider> usable =
        SELECTED.computeIfAbsent(name, wanted -> Engines.select(wanted).usable());
    return select(usable, specs, options);
  }

  /** Returns the name of the engine that is used for every stencil that it does not refuse. */
  public static synchronized String preferred(String name) {
    return SELECTED.computeIfAbsent(name, wanted -> Engines.select(wanted).usable()).get(0).name();
  }

  private static StencilEngine select(
      List<EngineProvider> usable, List<StencilSpec> specs, Map<String, String> options) {
    List<String> reasons = new ArrayList<>();
    for (EngineProvider provider : usable) {
      StencilEngine engine =
          OPEN.computeIfAbsent(provider.name(), opened -> provider.open(options));
      Optional<String> reason =
          specs.stream().flatMap(spec -> engine.reasonAgainst(spec).stream()).findFirst();
      if (reason.isEmpty()) {
        return engine;
      }
      reasons.add("%s: %s".formatted(engine.name(), reason.get()));
    }
    throw new UnsupportedStencilException(
        "no engine runs these stencils (%s); use engine auto or other stencils"
            .formatted(String.join("; ", reasons)));
  }
}
