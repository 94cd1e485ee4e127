/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;

/** Texts of rows that come one after the other, of which the first are let go. Of one thread. */
public final class HeldTexts implements TextMemory {
  private UTF8String[] texts = new UTF8String[64];
  private long first; // place of the first one
  private int count;

  /** Keeps a copy of a text, or null, and returns its place, one after that of the last. */
  public long add(UTF8String text) {
    if (count == texts.length) {
      texts = Arrays.copyOf(texts, Math.multiplyExact(2, count));
    }
    texts[count] = text == null ? null : text.copy();
    return first + count++;
  }

  /** Lets all texts go but the last ones. */
  public void keepLast(int kept) {
    int gone = count - kept;
    if (gone > 0) {
      System.arraycopy(texts, gone, texts, 0, kept);
      Arrays.fill(texts, kept, count, null);
      first += gone;
      count = kept;
    }
  }

  @Override
  public UTF8String text(long place) {
    return texts[(int) (place - first)];
  }

  @Override
  public int bytes(long place) {
    return text(place).numBytes();
  }

  @Override
  public void copy(long place, int bytes, Object to, long offset) {
    UTF8String text = text(place);
    Texts.copy(text.getBaseObject(), text.getBaseOffset(), bytes, to, offset);
  }
}
