/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.util.BitSet;
import java.util.stream.Stream;

/**
 * The forms in which one writer of batches has its columns, each as the batches before suggest:
 * doubles as decimal fractions, other words as numbers of few or as quotients, texts in few bits.
 */
public final class ColumnCodes {
  private final DecimalFractions[] fractions; // for each word of a row that is a double
  private final FewValues[] few; // for each of the others
  private final Quotients[] quotients; // for each of these
  private final PackedBytes[] texts;

  /**
   * Creates the codes of columns of which nothing is known.
   *
   * @param words of a row
   * @param doubles those of them that are doubles
   * @param texts columns of texts
   */
  public ColumnCodes(int words, BitSet doubles, int texts) {
    this.fractions = new DecimalFractions[words];
    this.few = new FewValues[words];
    this.quotients = new Quotients[words];
    for (int word = 0; word < words; word++) {
      if (doubles.get(word)) {
        fractions[word] = new DecimalFractions();
      } else {
        few[word] = new FewValues();
        quotients[word] = new Quotients();
      }
    }
    this.texts = Stream.generate(PackedBytes::new).limit(texts).toArray(PackedBytes[]::new);
  }

  /**
   * Writes the column of a word of the rows {@code first} to before {@code until}, and returns
   * where the next goes.
   *
   * @param column has the word of each row; null if all are 0
   */
  public long write(int word, long[] column, int first, int until, byte[] target, long at) {
    if (column == null) {
      return PackedColumns.writeZeros(target, at);
    }
    return fractions[word] == null
        ? PackedColumns.writeFew(column, first, until, target, at, few[word], quotients[word])
        : PackedColumns.writeDoubles(column, first, until, target, at, fractions[word]);
  }

  /**
   * Writes the bytes of a column of texts, and returns where the next goes.
   *
   * @param lengths has the bytes of each text at its row
   */
  public long writeTexts(
      int text,
      byte[] bytes,
      int count,
      long[] lengths,
      int first,
      int until,
      byte[] target,
      long at) {
    return texts[text].write(bytes, count, lengths, first, until, target, at);
  }
}
