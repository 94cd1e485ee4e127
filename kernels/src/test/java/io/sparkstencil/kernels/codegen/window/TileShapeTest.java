/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class TileShapeTest {
  @Test
  void everyUnitHasItsOwnPlace() {
    for (int cellsPerThread : new int[] {4, 8, 12, 16, 20, 28, 32}) {
      TileShape shape = TileShape.of(4, cellsPerThread, 4096 + 4 * 37);
      BitSet taken = new BitSet();
      for (int unit = 0; unit < shape.units(); unit++) {
        int place = shape.placeOf(unit);
        assertThat(taken.get(place)).isFalse();
        assertThat(place).isLessThan(shape.places());
        taken.set(place);
      }
    }
  }

  @Test
  void aThreadFindsItsUnitsAtTheSameDistances() {
    for (int cellsPerThread : new int[] {4, 8, 12, 16, 20, 32}) {
      TileShape shape = TileShape.of(4, cellsPerThread, 8192);
      for (int thread = 0; thread < 32; thread++) {
        for (int ahead = 0; ahead < 100; ahead++) {
          int unit = thread * shape.unitsPerThread() + ahead;
          assertThat(shape.placeOf(unit))
              .isEqualTo(thread * shape.threadStride() + shape.placeOf(ahead));
        }
      }
    }
  }

  @Test
  void eightThreadsThatReadSixteenBytesMeetInNoBank() {
    for (int cellsPerThread : new int[] {4, 8, 12, 16, 20, 28, 32}) {
      TileShape shape = TileShape.of(4, cellsPerThread, 8192);
      for (int ahead = 0; ahead < 2 * shape.unitsPerThread(); ahead++) {
        BitSet banks = new BitSet();
        for (int thread = 0; thread < 8; thread++) {
          banks.set((thread * shape.threadStride() + shape.placeOf(ahead)) % 8);
        }
        assertThat(banks.cardinality()).as("%d cells per thread", cellsPerThread).isEqualTo(8);
      }
    }
  }

  @Test
  void shapesThatCannotBePaddedAreRefused() {
    assertThatThrownBy(() -> TileShape.of(4, 24, 4096)).hasMessageContaining("6 units per thread");
    assertThatThrownBy(() -> TileShape.of(4, 10, 4096)).hasMessageContaining("10 per thread");
  }
}
