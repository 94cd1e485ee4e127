/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import io.sparkstencil.error.InvalidStencilException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a program's text, read one after another. */
final class Tokens {
  private static final Pattern WORD =
      Pattern.compile(
          "(?<space>\\s+|#[^\n]*)"
              + "|(?<number>(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)"
              + "|(?<name>[A-Za-z_][A-Za-z_0-9]*)"
              + "|(?<symbol><=|>=|==|!=|[-+*/<>=;,'()\\[\\]])");

  private static final int MOST_WORDS = 64 << 10;
  private static final int MOST_LETTERS = 255;

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int next;

  Tokens(String text) {
    this.text = text;
    Matcher matcher = WORD.matcher(text);
    int at = 0;
    int end = 0;
    while (at < text.length()) {
      if (!matcher.region(at, text.length()).lookingAt()) {
        throw problem(
            at,
            "unexpected character \"%s\"; use names, numbers, + - * / < <= > >= == != ( ) [ ] , ; and '"
                .formatted(Character.toString(text.codePointAt(at))));
      }
      for (Token.WordClass kind :
          List.of(Token.WordClass.NUMBER, Token.WordClass.NAME, Token.WordClass.SYMBOL)) {
        String word = matcher.group(kind.name().toLowerCase(Locale.ROOT));
        if (word != null) {
          requireFew(word, at);
          tokens.add(new Token(kind, word, at));
          end = matcher.end();
        }
      }
      at = matcher.end();
    }
    tokens.add(new Token(Token.WordClass.END, "", end));
  }

  /** No program is that long, and what is made of its words takes much more memory than they do. */
  private void requireFew(String word, int at) {
    if (tokens.size() == MOST_WORDS) {
      throw problem(at, "more than %d words; split the program".formatted(MOST_WORDS));
    }
    if (word.length() > MOST_LETTERS) {
      throw problem(
          at, "a word of %d letters; use at most %d".formatted(word.length(), MOST_LETTERS));
    }
  }

  /** Returns all words, the end among them. */
  List<Token> all() {
    return tokens;
  }

  /** Returns the next word, without moving on. */
  Token peek() {
    return peek(0);
  }

  /** Returns the word that comes {@code ahead} words after the next; the end has no end. */
  Token peek(int ahead) {
    return tokens.get(Math.min(next + ahead, tokens.size() - 1));
  }

  /** Moves on by a number of words that have been looked at. */
  void skip(int words) {
    next += words;
  }

  /** Returns the next word and moves on; the end stays. */
  Token take() {
    Token token = peek();
    if (token.kind() != Token.WordClass.END) {
      next++;
    }
    return token;
  }

  /** Moves on if the next word is {@code symbol}. */
  boolean takeIf(String symbol) {
    boolean found = peek().is(symbol);
    if (found) {
      next++;
    }
    return found;
  }

  /** Moves on over {@code symbol}, which must be next. */
  void require(String symbol, String remedy) {
    if (!takeIf(symbol)) {
      throw problem(
          peek(), "expected \"%s\" but found %s".formatted(symbol, found(peek())), remedy);
    }
  }

  /** Returns the error of a word that cannot be here. */
  InvalidStencilException unexpected(String remedy) {
    boolean ends = peek().kind() == Token.WordClass.END;
    return problem(
        peek(), ends ? "the text ends too early" : "unexpected " + found(peek()), remedy);
  }

  /** Returns what {@code reading} returns; its error gets the place of a word. */
  <T> T locate(Token token, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (InvalidStencilException e) {
      throw problem(token.at(), e.getMessage());
    }
  }

  static String found(Token token) {
    return token.kind() == Token.WordClass.END ? "the end" : "\"" + token.text() + "\"";
  }

  InvalidStencilException problem(Token token, String what, String remedy) {
    return problem(token.at(), what + "; " + remedy);
  }

  private InvalidStencilException problem(int at, String message) {
    return TextPlace.problem(text, at, message);
  }
}
