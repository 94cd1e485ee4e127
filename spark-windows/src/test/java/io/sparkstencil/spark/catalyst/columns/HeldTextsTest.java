/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

final class HeldTextsTest {
  private static UTF8String text(int number) {
    return UTF8String.fromString("text " + number);
  }

  @Test
  void placesStayWhenTheFirstTextsAreLetGo() {
    HeldTexts texts = new HeldTexts();
    for (int i = 0; i < 300; i++) {
      assertThat(texts.add(i % 7 == 0 ? null : text(i))).isEqualTo(i);
    }
    texts.keepLast(10);
    assertThat(texts.add(text(300))).isEqualTo(300);
    texts.keepLast(50); // more than there are
    for (int i = 290; i <= 300; i++) {
      assertThat(texts.text(i)).isEqualTo(i % 7 == 0 ? null : text(i));
    }
    assertThat(texts.bytes(299)).isEqualTo("text 299".length());
  }

  @Test
  void textsAreCopies() {
    byte[] bytes = "before".getBytes(StandardCharsets.UTF_8);
    HeldTexts texts = new HeldTexts();
    long place = texts.add(UTF8String.fromBytes(bytes));
    bytes[0] = 'x';
    byte[] copy = new byte[8];
    texts.copy(place, 6, copy, Platform.BYTE_ARRAY_OFFSET);
    assertThat(new String(copy, 0, 6, StandardCharsets.UTF_8)).isEqualTo("before");
  }
}
