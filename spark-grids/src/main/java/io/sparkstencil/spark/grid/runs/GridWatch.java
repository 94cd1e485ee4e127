/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.watch.Divergence;
import io.sparkstencil.grid.watch.Diverging;
import io.sparkstencil.grid.watch.NewStray;
import io.sparkstencil.spark.grid.tasks.BlockResult;
import io.sparkstencil.spark.grid.tasks.GridModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the blocks of a grid have told of cells that diverge. Safe for many threads. */
public final class GridWatch {
  private static final System.Logger LOG = System.getLogger(GridWatch.class.getName());

  private final GridModel model;
  private final List<NewStray> heard = new ArrayList<>(); // since the last decision
  private final Set<Integer> known = new HashSet<>(); // fields that were warned of
  private Divergence first; // null for none

  GridWatch(GridModel model) {
    this.model = model;
  }

  synchronized void hear(BlockResult result) {
    heard.addAll(result.strays());
  }

  /**
   * Does what is to be done about what was heard in a job.
   *
   * @throws StencilException with the place, if the grid is to stop
   */
  synchronized void decide() {
    Collection<NewStray> now = List.copyOf(heard);
    heard.clear();
    for (NewStray stray : now.stream().sorted(NewStray.EARLIEST).toList()) {
      Divergence found =
          new Divergence(
              model.program().fields().get(stray.field()),
              stray.position(),
              stray.value(),
              stray.steps(),
              stray.before());
      first = first == null ? found : first;
      if (model.watch().diverging() == Diverging.STOP) {
        throw new StencilException(
            ErrorCode.DIVERGED,
            "%s; use a shorter time step or other first cells, or go on with diverging set to warn or ignore (largest, the bound, is %s)"
                .formatted(found, model.watch().bound()));
      }
      if (known.add(stray.field())) {
        LOG.log(System.Logger.Level.WARNING, "{0}", found);
      }
    }
  }

  /** Returns what was found first, if something was. */
  public synchronized Optional<Divergence> first() {
    return Optional.ofNullable(first);
  }
}
