/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;
import java.util.Locale;

/**
 * Loads from shared memory: lane l loads the unit that starts at word l times the stride of a tile
 * of 32 rows of 32 words, from four tiles and then from four others, in turn. Word w of tile t
 * holds 7 w + t + 1; each thread stores the sum of all words that it has loaded. Parameter: {@link
 * KernelParameter#OUTPUT}.
 *
 * @param unitBytes bytes of a load: 4, 8 or 16
 * @param stride words from a lane to the next, a multiple of those of a unit
 * @param layout where the words of a tile are
 * @param turns how often {@value #LOADS} loads run
 */
public record SharedLoadKernel(int unitBytes, int stride, Layout layout, int turns)
    implements SurveyKernel {
  /** Threads of a block. */
  public static final int THREADS = 1024;

  /** Loads of a turn. */
  public static final int LOADS = 4;

  private static final int TILES = 2 * LOADS;
  private static final int TILE_WORDS = 1024;
  private static final int ROW_WORDS = 32;

  /** Where the words of a tile are. */
  public enum Layout {
    /** In their order. */
    PLAIN,
    /** With one unused word behind each row. */
    PADDED,
    /** In rows of 32, column c of row r in place c xor r. */
    SWIZZLED;

    /** Returns the place of a word. */
    public int place(int word) {
      int row = word / ROW_WORDS;
      return switch (this) {
        case PLAIN -> word;
        case PADDED -> word + row;
        case SWIZZLED -> row * ROW_WORDS + (word % ROW_WORDS ^ row % ROW_WORDS);
      };
    }

    private Register place(SurveyWriter k, Register word) {
      Register row = k.b32("shr.u32", word, 5);
      return switch (this) {
        case PLAIN -> word;
        case PADDED -> k.add(word, row);
        case SWIZZLED -> k.b32("xor.b32", word, k.b32("and.b32", row, ROW_WORDS - 1));
      };
    }

    private int tileBytes() {
      return SurveyWriter.WORD * (this == PADDED ? TILE_WORDS + ROW_WORDS : TILE_WORDS);
    }
  }

  @Override
  public String entryName() {
    return "survey_shared_v%d_s%d_%s_t%d"
        .formatted(unitBytes, stride, layout.name().toLowerCase(Locale.ROOT), turns);
  }

  /** Returns what a word of a tile holds. */
  public static int word(int tile, int word) {
    return 7 * word + tile + 1;
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k = new SurveyWriter(THREADS, KernelParameter.OUTPUT);
    int tileBytes = layout.tileBytes();
    Register tiles = k.shared(TILES * tileBytes);
    fill(k, tiles, tileBytes);
    k.put("bar.sync", 0);
    Register first = k.b32("mul.lo.u32", k.lane(), stride);
    Register base = k.b32("mad.lo.u32", layout.place(k, first), SurveyWriter.WORD, tiles);
    // Two places take turns, and loads are volatile: a compiler would move others out of the loop.
    Register both = k.add(k.add(base, base), LOADS * tileBytes);
    Register sum = k.b32("mov.u32", 0);
    k.repeat(
        turns,
        () -> {
          List<List<Register>> units =
              List.of(k.unit(unitBytes), k.unit(unitBytes), k.unit(unitBytes), k.unit(unitBytes));
          for (int i = 0; i < LOADS; i++) {
            k.load("ld.volatile.shared", units.get(i), at(base, i * tileBytes));
          }
          units.forEach(unit -> k.addAll(sum, unit));
          k.put("sub.s32", base, both, base);
        });
    k.storeWord(k.index(), sum);
    return k.finish(this, THREADS);
  }

  private void fill(SurveyWriter k, Register tiles, int tileBytes) {
    Register place = layout.place(k, k.thread); // a thread for each word of a tile
    Register to = k.b32("mad.lo.u32", place, SurveyWriter.WORD, tiles);
    Register value = k.b32("mad.lo.u32", k.thread, 7, k.b32("mov.u32", 1));
    for (int tile = 0; tile < TILES; tile++) {
      k.put("st.shared.b32", at(to, tile * tileBytes), k.add(value, tile));
    }
  }
}
