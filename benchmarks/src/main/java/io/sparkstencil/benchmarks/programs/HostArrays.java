/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramArrays;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Arrays on the host that cases of the same size share, one after another: making them takes long.
 * Those of another size go before: arrays of all sizes need more memory than a host has for each
 * GPU.
 */
final class HostArrays {
  private record Key(ElementType type, int cells) {}

  private final Map<Key, List<Object>> cells = new HashMap<>();
  private final Map<Key, List<Object>> results = new HashMap<>();

  /** Returns the random cells of all fields, which are not to be changed. */
  ProgramArrays cells(MeasuredProgram what) {
    int count = what.extent().cells();
    cells.keySet().removeIf(key -> key.cells() != count);
    results.keySet().removeIf(key -> key.cells() != count);
    List<Object> made = cells.computeIfAbsent(key(what), key -> new ArrayList<>());
    int fields = what.program().fields().size();
    while (made.size() < fields) {
      Object array = what.type().newArray(what.extent().cells());
      ProgramCells.fill(array, made.size());
      made.add(array);
    }
    return new ProgramArrays(what.type(), what.extent(), made.subList(0, fields));
  }

  /** Returns arrays for the results of all fields; those that no step changes share one. */
  ProgramArrays results(MeasuredProgram what) {
    List<Object> made = results.computeIfAbsent(key(what), key -> new ArrayList<>());
    int updated = what.program().updates().size();
    while (made.size() < updated) {
      made.add(what.type().newArray(what.extent().cells()));
    }
    List<Object> all = new ArrayList<>(made.subList(0, updated));
    while (all.size() < what.program().fields().size()) {
      all.add(made.get(0));
    }
    return new ProgramArrays(what.type(), what.extent(), all);
  }

  /** Returns the same array for all fields, whose cells no computation gives. */
  ProgramArrays poison(MeasuredProgram what) {
    Object array = results(what).arrays().get(0);
    ProgramCells.poison(array);
    int fields = what.program().fields().size();
    return new ProgramArrays(what.type(), what.extent(), Collections.nCopies(fields, array));
  }

  private static Key key(MeasuredProgram what) {
    return new Key(what.type(), what.extent().cells());
  }
}
