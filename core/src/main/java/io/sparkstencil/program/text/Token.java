/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

/**
 * A word of a program's text.
 *
 * @param kind what it is
 * @param text its characters
 * @param at the index of its first character
 */
record Token(WordClass kind, String text, int at) {
  enum WordClass {
    NAME,
    NUMBER,
    SYMBOL,
    END
  }

  boolean is(String symbol) {
    return (kind == WordClass.SYMBOL || kind == WordClass.NAME) && text.equals(symbol);
  }
}
