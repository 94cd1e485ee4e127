/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codes of letters, and the bytes that have none. */
class LetterCodeTest {
  private static final long AT = Platform.BYTE_ARRAY_OFFSET;

  private static boolean isWritten(LetterCode code, byte... bytes) {
    return code.write(bytes, bytes.length, new byte[64], AT);
  }

  private static LetterCode of(String letters) {
    byte[] bytes = letters.getBytes(StandardCharsets.UTF_8);
    return LetterCode.of(bytes, bytes.length);
  }

  /** In each place of a word and behind whole words. */
  @ParameterizedTest
  @CsvSource({
    "0123456789, 4",
    "0123456789ABCDEF, 4",
    "0123456789abcdef, 4",
    "09af, 4",
    "0123456789abcdef-, 5",
    "+Z, 4",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ, 5",
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ, 6",
  })
  void bytesHaveACodeIfTheyFitInItsBitsAndAreNotInTheGap(String letters, int bits) {
    LetterCode code = of(letters);
    assertThat(code.bits()).isEqualTo(bits);
    assertThat(LetterCode.of(code.word())).isEqualTo(code);
    for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++) {
      int difference = value - code.least();
      boolean inGap = difference >= code.upper() - code.gap() && difference < code.upper();
      int behind = difference >= code.upper() ? difference - code.gap() : difference;
      boolean coded = value >= code.least() && !inGap && behind < 1 << bits;
      assertThat(coded || letters.indexOf(value) < 0).as("letters have codes").isTrue();
      for (int place = 0; place < 19; place++) {
        byte[] bytes = letters.substring(0, 1).repeat(19).getBytes(StandardCharsets.UTF_8);
        bytes[place] = (byte) value;
        assertThat(isWritten(code, bytes)).as("%d at %d", value, place).isEqualTo(coded);
      }
    }
  }

  @Test
  void bytesOfManyLettersHaveNoCode() {
    assertThat(of("!09AZaz~")).isNull();
    assertThat(of("ü")).isNull();
    assertThat(of("\0\177").bits()).as("of two").isEqualTo(4);
    assertThat(of("").bits()).as("of none").isEqualTo(4);
  }
}
