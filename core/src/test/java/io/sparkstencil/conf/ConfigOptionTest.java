/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.conf;

import static io.sparkstencil.conf.ConfigOption.option;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigOptionTest {
  private static final ConfigOption<Integer> SLOTS =
      option("spark.stencil.slots", OptionType.INTEGER, 2)
          .range(1, 8)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc("Batches that a task keeps in flight.");

  private static final ConfigOption<Long> POOL =
      option("spark.stencil.pool", OptionType.BYTES, 256L << 20)
          .range(1L << 20, 64L << 30)
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc("Bytes of the pool.");

  private static final ConfigOption<Long> WAIT =
      option("spark.stencil.wait", OptionType.MILLIS, 10_000L)
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc("How long to wait.");

  private static final ConfigOption<String> MODE =
      option("spark.stencil.mode", OptionType.WORD, "exit")
          .oneOf(List.of("exit", "cpu"))
          .scope(OptionScope.QUERY)
          .since("0.1")
          .doc("What to do.");

  @Test
  void readsTheDefaultWhereNothingIsSet() {
    assertThat(SLOTS.read(Map.of())).isEqualTo(2);
    assertThat(POOL.read(Map.of("spark.stencil.slots", "3"))).isEqualTo(256L << 20);
  }

  @Test
  void readsUnits() {
    assertThat(POOL.parse("1073741824")).isEqualTo(1L << 30);
    assertThat(POOL.parse(" 64m ")).isEqualTo(64L << 20);
    assertThat(POOL.parse("1G")).isEqualTo(1L << 30);
    assertThat(WAIT.parse("250")).isEqualTo(250);
    assertThat(WAIT.parse("3s")).isEqualTo(3000);
    assertThat(WAIT.parse("2 min")).isEqualTo(120_000);
    assertThat(MODE.parse(" CPU")).isEqualTo("cpu");
  }

  @Test
  void writesDefaultsAsTheyAreRead() {
    assertThat(POOL.defaultText()).isEqualTo("256m");
    assertThat(WAIT.defaultText()).isEqualTo("10s");
    assertThat(POOL.range().label()).isEqualTo("[1m, 64g]");
    assertThat(MODE.range().label()).isEqualTo("{exit, cpu}");
    assertThat(POOL.parse(POOL.defaultText())).isEqualTo(POOL.defaultValue());
  }

  @Test
  void saysWhatIsWrongWithAValueOutOfRange() {
    assertThatThrownBy(() -> SLOTS.parse("9"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage(
            "spark.stencil.slots=9 is not in [1, 8]; set a value in that range, or remove the option"
                + " to use the default, 2. Batches that a task keeps in flight.");
    assertThatThrownBy(() -> MODE.parse("stop")).hasMessageContaining("{exit, cpu}");
    assertThatThrownBy(() -> POOL.parse("-1m")).hasMessageContaining("is not in [1m, 64g]");
  }

  @Test
  void saysWhatIsWrongWithAValueOfAnotherType() {
    assertThatThrownBy(() -> SLOTS.parse("two"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(
            "spark.stencil.slots=two is not valid: expected integer in [1, 8]; set");
    assertThatThrownBy(() -> POOL.parse("3 parsecs")).hasMessageContaining("bytes (k, m, g)");
    assertThatThrownBy(() -> POOL.parse("99999999999g")).hasMessageContaining("bytes (k, m, g)");
    assertThatThrownBy(() -> WAIT.parse("")).hasMessageContaining("time (ms, s, min)");
  }

  @Test
  void refusesADefaultOutOfRange() {
    assertThatThrownBy(
            () ->
                option("spark.stencil.bad", OptionType.INTEGER, 0)
                    .range(1, 2)
                    .scope(OptionScope.QUERY)
                    .since("0.1")
                    .doc("Bad."))
        .isInstanceOf(InvalidStencilException.class);
  }
}
