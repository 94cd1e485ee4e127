/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

/**
 * A word of a program's text.
 *
 * @param kind what it is
 * @param text its characters
 * @param at the index of its first character
 */
record Token(Kind kind, String text, int at) {
  enum Kind {
    NAME,
    NUMBER,
    SYMBOL,
    END
  }

  boolean is(String symbol) {
    return (kind == Kind.SYMBOL || kind == Kind.NAME) && text.equals(symbol);
  }
}
