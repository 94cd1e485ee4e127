/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Arrays take turns, and none is both read and written. */
final class VersionsTest {
  private static SortedMap<Integer, Integer> renamed(String text) {
    return Versions.renamed(ProgramTraits.of(ProgramText.parse(text)));
  }

  @Test
  void fieldsThatGetTheCellsOfOthersAreFound() {
    assertThat(renamed("p' = u; u' = 2*u - p + u[1]")).isEqualTo(Map.of(0, 1));
    assertThat(renamed("u' = v; v' = u[0]")).isEqualTo(Map.of(0, 1, 1, 0));
    assertThat(renamed("p' = u[1]; u' = p")).isEqualTo(Map.of(1, 0));
    assertThat(renamed("p' = u; q' = u; u' = p[1] + q")).isEqualTo(Map.of(0, 2));
    assertThat(renamed("p' = c; q' = p'[0]")).as("not updated, or not old").isEmpty();
  }

  @Test
  void threeArraysOfALeapFrogTakeTurns() {
    FieldLayout layout = FieldLayout.ofSizes(ElementType.F32, List.of(8));
    List<Stored> arrays = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      arrays.add(layout.at(i * layout.bytes()));
    }
    // p, u, and c, which is not updated
    Versions start =
        new Versions(
            List.of(arrays.get(0), arrays.get(1), arrays.get(4)),
            List.of(arrays.get(2), arrays.get(3), arrays.get(4)));
    SortedMap<Integer, Integer> renamed = new TreeMap<>(Map.of(0, 1));
    Versions versions = start;
    for (int step = 0; step < 12; step++) {
      Versions next = versions.after(renamed);
      assertThat(next.current().get(0)).isEqualTo(versions.current().get(1));
      assertThat(next.current().get(1)).isEqualTo(versions.free().get(1));
      assertThat(next.current().get(2)).isEqualTo(arrays.get(4));
      List<Stored> used = new ArrayList<>(next.current().subList(0, 2));
      used.addAll(next.free().subList(0, 2));
      assertThat(new HashSet<>(used)).hasSize(4).doesNotContain(arrays.get(4));
      versions = next;
    }
    assertThat(start.after(new TreeMap<>()).after(new TreeMap<>())).isEqualTo(start);
  }
}
