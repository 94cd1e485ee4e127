/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The series of one shuffle partition are spread over the slots of their table. */
final class SeriesNumbersTest {
  private static final int CAPACITY = 1 << 15;
  private static final int SERIES = CAPACITY / 4;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16, 64, 200, 1000})
  void slotsOfEvenlySpacedKeysAreSpread(int partitions) {
    for (long spacing : new long[] {1, 2, 1000, 1L << 32, -7}) {
      checkSpread(LongStream.iterate(0, key -> key + spacing), partitions);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 1000})
  void slotsOfRandomKeysAreSpread(int partitions) {
    checkSpread(new Random(3).longs(), partitions);
  }

  private static void checkSpread(LongStream keys, int partitions) {
    long[] ofPartition =
        keys.filter(key -> KeyRouter.partition(key, partitions) == 0).limit(SERIES).toArray();
    boolean[] taken = new boolean[CAPACITY];
    long probes = 0;
    for (long key : ofPartition) {
      int at = SeriesNumbers.slot(key, CAPACITY);
      probes++;
      for (; taken[at]; probes++) {
        at = (at + 1) % CAPACITY;
      }
      taken[at] = true;
    }
    // A table that is a quarter full takes 1.17 probes, if slots are random; evenly spaced keys up
    // to 1.4.
    assertThat((double) probes / SERIES).isLessThan(1.5);
  }
}
