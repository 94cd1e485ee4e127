/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.reference.ReferenceEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnginesTest {
  private record Fake(String name, int rank, Optional<String> unavailableReason)
      implements EngineProvider {
    @Override
    public StencilEngine open(Map<String, String> options) {
      return new ReferenceEngine();
    }
  }

  private static final EngineProvider SLOW = new Fake("reference", 0, Optional.empty());
  private static final EngineProvider MIDDLE = new Fake("cpu", 1, Optional.empty());
  private static final EngineProvider BROKEN = new Fake("gpu", 2, Optional.of("no driver"));
  private static final EngineProvider WORKING = new Fake("gpu", 2, Optional.empty());

  @Test
  void autoPrefersTheHighestRankThatWorks() {
    assertThat(Engines.select("auto", List.of(SLOW, WORKING, MIDDLE)).usable())
        .containsExactly(WORKING, MIDDLE, SLOW);
    Engines withoutGpu = Engines.select(" Auto ", List.of(SLOW, BROKEN, MIDDLE));
    assertThat(withoutGpu.preferred()).isEqualTo(MIDDLE);
    assertThat(withoutGpu.skipped()).containsExactly(new Engines.Skipped("gpu", "no driver"));
  }

  @Test
  void aNameSelectsThatEngineAloneAndTellsWhyOthersAreSkipped() {
    Engines selection = Engines.select("cpu", List.of(SLOW, BROKEN, MIDDLE));
    assertThat(selection.usable()).containsExactly(MIDDLE);
    assertThat(selection.skipped())
        .containsExactly(
            new Engines.Skipped("gpu", "engine cpu was requested"),
            new Engines.Skipped("reference", "engine cpu was requested"));
  }

  @Test
  void refusesAnEngineThatCannotBeUsedWithItsReason() {
    assertThatThrownBy(() -> Engines.select("gpu", List.of(SLOW, BROKEN)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("gpu: no driver");
    assertThatThrownBy(() -> Engines.select("gpu", List.of(SLOW)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("not on the class path, which has reference");
    assertThatThrownBy(() -> Engines.select("auto", List.of()))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("no engine");
  }

  @Test
  void refusesUnknownNames() {
    assertThatThrownBy(() -> Engines.select("tpu", List.of(SLOW)))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(
            "unknown engine \"tpu\"; known engines are auto, cpu, gpu, reference");
  }

  @Test
  void findsTheEnginesOfThisJar() {
    assertThat(Engines.discover()).extracting(EngineProvider::name).contains("reference");
    assertThat(Engines.select("reference").open(Map.of()).name()).isEqualTo("reference");
  }
}
