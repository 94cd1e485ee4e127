/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShownOutputTest {
  @Test
  void dotsStandForWhatVaries() {
    assertThat(ShownOutput.matches("time  ... s, all\n", "time 0.3 s, all\n")).isTrue();
    assertThat(ShownOutput.matches("a\n...\nz\n", "a\nb\nc\nz\n")).isTrue();
    assertThat(ShownOutput.matches("a\n...\nz\n", "a\nz\n")).isTrue();
    assertThat(ShownOutput.matches("[v#3, w#4L]\n", "[v#17,\tw#20L]".replace(",", ", "))).isTrue();
  }

  @Test
  void everythingElseIsCompared() {
    assertThat(ShownOutput.matches("1.5\n", "1.25\n")).isFalse();
    assertThat(ShownOutput.matches("1.5\n", "1x5\n")).isFalse();
    assertThat(ShownOutput.matches("a\n", "a\nb\n")).isFalse();
    assertThat(ShownOutput.matches("a\nb\n", "a\n")).isFalse();
    assertThat(ShownOutput.matches("a\n...\nz\n", "a\nb\n")).isFalse();
    assertThat(ShownOutput.matches("time ... s\n", "time 3\n4 s\n")).isFalse();
  }
}
