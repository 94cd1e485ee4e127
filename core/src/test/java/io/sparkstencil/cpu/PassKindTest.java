/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PassKindTest {
  @ParameterizedTest
  @ValueSource(ints = {17, 21, 25})
  void vectorsRunOnTheJavasWhoseApiIsKnown(int java) {
    assertThat(PassKind.reasonAgainst(true, java)).isEmpty();
  }

  @Test
  void laterJavasRunPlainLoopsAndSayWhy() {
    assertThat(PassKind.reasonAgainst(true, 26))
        .contains(
            "the Vector API of Java 26 may differ from that of Java 17 to 25;"
                + " spark.stencil.cpu.vectors=true uses it");
  }

  @Test
  void withoutTheModuleItSaysWhatToAdd() {
    assertThat(PassKind.reasonAgainst(false, 26))
        .contains("add --add-modules=jdk.incubator.vector for speed");
  }

  @Test
  void theOptionTurnsVectorsOff() {
    assertThat(PassKind.of(Map.of("spark.stencil.cpu.vectors", "false")))
        .isEqualTo(new PassKind(false, "plain loops (spark.stencil.cpu.vectors=false)"));
  }
}
