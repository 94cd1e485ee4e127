/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a plan can say about engines before it is known where and over how many rows it runs. */
public final class EngineForecast {
  private EngineForecast() {}

  /**
   * Returns one line: the engine that is asked for or, under {@code auto}, from how many rows of a
   * partition on a GPU is estimated to be faster.
   *
   * @param engine the engine's name or {@code auto}
   * @param pipelines what runs over the same staged cells, for each pipeline
   */
  public static String text(String engine, List<List<StencilSpec>> pipelines) {
    if (!engine.equals(Engines.AUTO)) {
      return "%s, as asked for".formatted(engine);
    }
    List<String> limits = new ArrayList<>();
    for (List<StencilSpec> specs : pipelines) {
      PartitionWork work = PartitionWork.of(specs);
      long cells = CostModel.fewestCellsForDevice(work);
      String taps = "%d taps in %s".formatted(CostModel.taps(work), specs.get(0).type());
      limits.add(
          cells == PartitionWork.UNKNOWN_CELLS
              ? "for %s never".formatted(taps)
              : String.format(Locale.ROOT, "for %s from %,d rows of a partition on", taps, cells));
    }
    return "auto: a GPU, where the executor has one, "
        + String.join(", ", limits)
        + ", as estimated before anything is measured; else the CPU";
  }
}
