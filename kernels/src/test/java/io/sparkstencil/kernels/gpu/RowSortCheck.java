/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.engine.RowSort.Key;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Random rows that an engine sorts, compared with a stable sort in Java. */
final class RowSortCheck {
  private final GpuEngine engine;
  private final int rows;
  private final int columns;
  private final Random random;

  RowSortCheck(GpuEngine engine, int rows, int columns, long seed) {
    this.engine = engine;
    this.rows = rows;
    this.columns = columns;
    this.random = new Random(seed);
  }

  /**
   * Sorts new rows by keys of no bits, of few, of all that there are, all columns returned or
   * fewer, and requires that they are in order. The device's memory is poisoned before.
   */
  void run() {
    int turn = 0;
    for (List<Key> keys : keys()) {
      poison();
      try (RowSort sort = engine.openSort(rows, columns).orElseThrow()) {
        run(sort, keys, columns - turn++ % (columns + 1));
      }
    }
  }

  private List<List<Key>> keys() {
    Key first = new Key(0, -5, 3);
    Key last = new Key(columns - 1, Long.MIN_VALUE, 33);
    Key constant = new Key(columns / 2, -1L << 40, 0);
    return switch (columns) {
      case 1 -> List.of(List.of(new Key(0, Long.MIN_VALUE, 64)), List.of(first), List.of());
      case 2 -> List.of(List.of(last, first), List.of(new Key(1, 7, 1)));
      case 3 -> List.of(List.of(new Key(2, -1000, 20), constant, new Key(0, 1L << 50, 44)));
      case 4 -> List.of(List.of(constant), List.of(constant, first));
      default -> List.of(List.of(last, constant, first, new Key(1, -1, 9)));
    };
  }

  private void poison() {
    long bytes = new SortParts(rows, columns).bytes();
    try (BufferLease<DeviceBuffer> lease = engine.memory.lease(bytes);
        CudaStream stream = engine.context().newStream()) {
      stream.fill(lease.buffer().address(), lease.buffer().bytes(), (byte) 0xFF);
      stream.synchronize();
    }
  }

  private void run(RowSort sort, List<Key> keys, int returned) {
    long[][] data = data(keys);
    for (int from = 0; from < rows; ) {
      int count = Math.min(rows - from, 1 + random.nextInt(3000));
      sort.add(batch(data, from, count), count);
      from += count;
    }
    sort.sort(keys, returned);
    requireSorted(sort, data, keys, returned);
  }

  private long[][] batch(long[][] data, int from, int count) {
    long[][] batch = new long[columns][];
    for (int c = 0; c < columns; c++) {
      long[] words = Arrays.copyOfRange(data[c], from, from + count);
      batch[c] = Arrays.stream(words).allMatch(word -> word == 0) ? null : words;
    }
    return batch;
  }

  private long[][] data(List<Key> keys) {
    long[][] data = new long[columns][];
    for (int c = 0; c < columns; c++) {
      int column = c;
      Key key =
          keys.stream()
              .filter(each -> each.column() == column)
              .findFirst()
              .orElse(new Key(c, 0, c == 1 ? 0 : Long.SIZE));
      long mask = key.bits() == Long.SIZE ? -1 : (1L << key.bits()) - 1;
      data[c] = random.longs(rows).map(word -> key.least() + (word & mask)).toArray();
    }
    return data;
  }

  private void requireSorted(RowSort sort, long[][] data, List<Key> keys, int returned) {
    Integer[] order = IntStream.range(0, rows).boxed().toArray(Integer[]::new);
    Arrays.sort(
        order,
        (a, b) -> {
          int compared = 0;
          for (int k = 0; k < keys.size() && compared == 0; k++) {
            long[] column = data[keys.get(k).column()];
            compared = Long.compare(column[a], column[b]);
          }
          return compared;
        });
    for (int c = 0; c < returned; c++) {
      long[] column = data[c];
      assertThat(read(sort, c))
          .as("column %d of %d rows by %s", c, rows, keys)
          .isEqualTo(Arrays.stream(order).mapToLong(i -> column[i]).toArray());
    }
    assertThat(read(sort, columns))
        .as("sort words of %d rows by %s", rows, keys)
        .isEqualTo(Arrays.stream(order).mapToLong(i -> word(data, keys, i)).toArray());
  }

  /** Reads a column in two parts, in either order. */
  private long[] read(RowSort sort, int column) {
    long[] words = new long[rows + 2];
    int part = random.nextInt(rows + 1);
    sort.read(column, part, rows - part, words, 1 + part);
    sort.read(column, 0, part, words, 1);
    assertThat(words[0]).isZero();
    assertThat(words[rows + 1]).isZero();
    return Arrays.copyOfRange(words, 1, rows + 1);
  }

  private static long word(long[][] data, List<Key> keys, int row) {
    long word = 0;
    for (Key key : keys) {
      long above = data[key.column()][row] - key.least();
      word = key.bits() == Long.SIZE ? above : word << key.bits() | above;
    }
    return word;
  }
}
