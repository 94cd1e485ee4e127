/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.Locale;

/**
 * The textbooks' products of a tall matrix A of 32 columns: with a flat B of 32 rows, or with its
 * own transpose. A block of 32 x 32 threads has a tile of 32 x 32 results, each thread one.
 * Parameters: {@link KernelParameter#INPUT}, which is A, {@link KernelParameter#OUTPUT}, {@link
 * KernelParameter#POSITIONS}, the columns of the result, and {@link KernelParameter#SHIFT}, the
 * words from A to B.
 *
 * @param form what is kept in shared memory
 */
public record ProductKernel(Form form) implements SurveyKernel {
  /** Rows and columns of a tile. */
  public static final int TILE = 32;

  private static final int THREADS = TILE * TILE;

  /** What is kept in shared memory. */
  public enum Form {
    /** A B: nothing. */
    AB_WITHOUT_TILE,
    /** A B: a tile of A, read as a broadcast. */
    AB_TILE_OF_A,
    /** A B: a tile of each. */
    AB_TILES,
    /** A times its transpose: nothing; lanes read words 32 apart. */
    AAT_WITHOUT_TILE,
    /** A times its transpose: two tiles, one transposed as it is stored, into one bank. */
    AAT_TILES,
    /** A times its transpose: the same, with a word more in each row. */
    AAT_PADDED_TILES;

    /** Tells whether the second factor is the transpose of the first. */
    public boolean isTransposed() {
      return this == AAT_WITHOUT_TILE || this == AAT_TILES || this == AAT_PADDED_TILES;
    }

    private boolean hasTileOfA() {
      return this != AB_WITHOUT_TILE && this != AAT_WITHOUT_TILE;
    }

    private boolean hasSecondTile() {
      return hasTileOfA() && this != AB_TILE_OF_A;
    }

    private int rowWords() {
      return this == AAT_PADDED_TILES ? TILE + 1 : TILE;
    }
  }

  @Override
  public String entryName() {
    return "survey_product_" + form.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k =
        new SurveyWriter(
            THREADS,
            KernelParameter.INPUT,
            KernelParameter.OUTPUT,
            KernelParameter.POSITIONS,
            KernelParameter.SHIFT);
    Register x = k.lane();
    Register y = k.b32("shr.u32", k.thread, 5);
    Register columns = k.argument(KernelParameter.POSITIONS);
    Register firstColumn = k.b32("mul.lo.u32", k.block, TILE);
    Register column = k.add(firstColumn, x);
    Register row = k.b32("mad.lo.u32", k.b32("mov.u32", Symbol.CTAID_Y), TILE, y);
    Register second = k.argument(KernelParameter.SHIFT);
    Register ownA = word(k, k.b32("mul.lo.u32", row, TILE));
    Register ownB = // of A B: the first word of the thread's column
        form.isTransposed()
            ? word(k, k.b32("mul.lo.u32", column, TILE))
            : word(k, k.add(second, column));
    Register pitch = k.b64("mul.wide.u32", columns, SurveyWriter.WORD);
    Register tiles = form.hasTileOfA() ? k.shared(2 * THREADS * 4 + 4 * TILE) : null;
    if (form.hasTileOfA()) {
      fillTiles(k, new Place(x, y, firstColumn, column), tiles);
    }
    Register sum = k.make(PtxType.F32, "mov.f32", Literal.f32(0));
    for (int i = 0; i < TILE; i++) {
      Register a = form.hasTileOfA() ? fromTileOfA(k, tiles, y, i) : load(k, ownA, i);
      Register b = null;
      if (form.hasSecondTile()) {
        b = fromSecondTile(k, tiles, x, i);
      } else if (form.isTransposed()) {
        b = load(k, ownB, i);
      } else {
        b = load(k, ownB, 0);
        k.put("add.s64", ownB, ownB, pitch);
      }
      k.put("fma.rn.f32", sum, a, b, sum);
    }
    Register result = k.b32("mad.lo.u32", row, columns, column);
    k.put("st.global.f32", at(k.global(KernelParameter.OUTPUT, result, 4), 0), sum);
    return k.finish(this, THREADS);
  }

  /** Where a thread is in its tile, and that in the result. */
  private record Place(Register x, Register y, Register firstColumn, Register column) {}

  private static Register word(SurveyWriter k, Register index) {
    return k.global(KernelParameter.INPUT, index, SurveyWriter.WORD);
  }

  private static Register load(SurveyWriter k, Register base, int index) {
    return k.make(PtxType.F32, "ld.global.f32", at(base, index * SurveyWriter.WORD));
  }

  private void fillTiles(SurveyWriter k, Place place, Register tiles) {
    Register row = k.b32("mad.lo.u32", k.b32("mov.u32", Symbol.CTAID_Y), TILE, place.y);
    Register value = load(k, word(k, k.b32("mad.lo.u32", row, TILE, place.x)), 0);
    Register to = k.b32("mad.lo.u32", k.thread, SurveyWriter.WORD, tiles);
    k.put("st.shared.f32", at(to, 0), value);
    if (!form.hasSecondTile()) {
      k.put("bar.warp.sync", 0xFFFFFFFFL); // a row of the tile is of one warp
      return;
    }
    Register from;
    Register index;
    if (form.isTransposed()) {
      Register other = k.add(place.firstColumn, place.y);
      from = k.b32("mad.lo.u32", other, TILE, place.x);
      index = k.b32("mad.lo.u32", place.x, form.rowWords(), place.y);
    } else {
      Register columns = k.argument(KernelParameter.POSITIONS);
      Register inB = k.b32("mad.lo.u32", place.y, columns, place.column);
      from = k.add(inB, k.argument(KernelParameter.SHIFT));
      index = k.thread;
    }
    Register target = k.b32("mad.lo.u32", index, SurveyWriter.WORD, tiles);
    k.put("st.shared.f32", at(target, THREADS * SurveyWriter.WORD), load(k, word(k, from), 0));
    k.put("bar.sync", 0);
  }

  private static Register fromTileOfA(SurveyWriter k, Register tiles, Register y, int i) {
    Register row = k.b32("mad.lo.u32", y, TILE * SurveyWriter.WORD, tiles);
    return k.make(PtxType.F32, "ld.shared.f32", at(row, i * SurveyWriter.WORD));
  }

  private Register fromSecondTile(SurveyWriter k, Register tiles, Register x, int i) {
    Register column = k.b32("mad.lo.u32", x, SurveyWriter.WORD, tiles);
    int offset = (THREADS + i * form.rowWords()) * SurveyWriter.WORD;
    return k.make(PtxType.F32, "ld.shared.f32", at(column, offset));
  }
}
