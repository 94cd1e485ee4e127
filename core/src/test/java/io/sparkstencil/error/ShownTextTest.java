/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShownTextTest {
  @Test
  void writesOutWhatATerminalObeys() {
    assertThat(ShownText.printable("v\u001b[31m\u0007\u009b2J\u007f\u202egpj"))
        .isEqualTo("v\\u001b[31m\\u0007\\u009b2J\\u007f\\u202egpj");
    assertThat(ShownText.printable("a line\n\tand another, \u00e9\u4e16\ud83d\ude00"))
        .isEqualTo("a line\n\tand another, \u00e9\u4e16\ud83d\ude00");
  }

  @Test
  void aValueStaysOnItsLine() {
    assertThat(ShownText.of("v\r\n12:00 ERROR forged"))
        .isEqualTo("v\\u000d\\u000a12:00 ERROR forged");
    assertThat(ShownText.of(null)).isEqualTo("null");
  }

  @Test
  void aLongValueIsCutBetweenCharacters() {
    String value = "x".repeat(79) + "\ud83d\ude00" + "y".repeat(1 << 20);

    assertThat(ShownText.of(value)).isEqualTo("x".repeat(79) + "... (1048657 characters)");
    assertThat(ShownText.of("x".repeat(80))).isEqualTo("x".repeat(80));
  }

  @Test
  void messagesOfAllExceptionsArePrintable() {
    String message = "column \"v\u001b[31m\" is text; name another";

    assertThat(new InvalidStencilException(message))
        .hasMessage("column \"v\\u001b[31m\" is text; name another");
    assertThat(new BadDataException(message)).hasMessageNotContaining("\u001b");
    assertThat(new StencilException(ErrorCode.UNSUPPORTED, null)).hasMessage(null);
  }

  @Test
  void whatAMessageQuotesIsCut() {
    String name = "n".repeat(1 << 20);

    assertThat(new InvalidStencilException("\"a\" is no \"" + name + "\"; write \"b\""))
        .hasMessage("\"a\" is no \"" + "n".repeat(80) + "...\" (1048576 characters); write \"b\"");
  }

  @Test
  void aLongMessageKeepsItsBeginningAndItsRemedy() {
    String message = "field " + "n".repeat(1 << 20) + " is unknown; name one of u, v";

    assertThat(new InvalidStencilException(message).getMessage())
        .hasSizeLessThan(4100)
        .startsWith("field nnn")
        .contains("characters left out")
        .endsWith(" is unknown; name one of u, v");
  }
}
