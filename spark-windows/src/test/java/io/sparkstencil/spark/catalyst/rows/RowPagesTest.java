/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RowPagesTest {
  /** On heaps of so many MiB, pages of so many KiB. */
  @ParameterizedTest
  @CsvSource({
    "1, 256",
    "512, 256",
    "2048, 256",
    "3000, 256",
    "4096, 512",
    "8192, 1024",
    "65536, 1024"
  })
  void pagesArePooledWhereTheyAreOrdinaryObjects(long heap, long page) {
    assertThat(RowPages.pageBytes(heap << 20)).isEqualTo(page << 10);
  }
}
