/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.engine.RowSort.Form;
import io.sparkstencil.engine.RowSort.Key;
import io.sparkstencil.engine.RowSort.Packed;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.testkit.RowSortCheck;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole sorts on an emulated device, and what becomes of their memory. */
class GpuRowSortTest {
  private static final List<Key> KEYS = List.of(key(0, 20));

  private static Key key(int column, int bits) {
    return new Key(column, Form.LONG, false, 0, bits);
  }

  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private final Map<String, Integer> callsOfOpening = new HashMap<>();
  private GpuEngine engine;

  @BeforeEach
  void open() {
    gpu.emulate();
    engine =
        GpuEngine.open(
            driver,
            driver.devices().get(0),
            Map.of(GpuOptions.PINNED_BYTES.key(), "" + 2 * SortStage.BYTES));
    for (String call : List.of("launchKernel", "memAlloc", "memcpyHtoDAsync", "memcpyDtoHAsync")) {
      callsOfOpening.put(call, gpu.calls(call));
    }
  }

  /** Returns how often something was called since the engine is open. */
  private int calls(String call) {
    return gpu.calls(call) - callsOfOpening.get(call);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(engine.pinned.usage().leases()).isZero();
    assertThat(engine.memory.usage().leases()).isZero();
    engine.close();
    assertThat(driver.liveHandles()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "31, 4", "4097, 5", "9000, 3"})
  void rowsAreInOrderAndEqualOnesStayAsTheyCame(int rows, int columns) {
    new RowSortCheck((n, each) -> PoisonedSort.open(engine, n, each), rows, columns, rows).run();
  }

  private static void zeros(RowSort sort, int columns, int rows) {
    sort.add(new long[1], 0, 1, Collections.nCopies(columns, new Packed(0, 0, 0, 0)), rows);
  }

  /** Opens a sort with rows of zeros. */
  private RowSort filled(int rows, int columns) {
    RowSort sort = engine.openSort(rows, columns).orElseThrow();
    try {
      zeros(sort, columns, rows);
    } catch (RuntimeException e) {
      sort.close();
      throw e;
    }
    return sort;
  }

  @Test
  void aSortTakesAPassForEachDigitThatKeysUse() {
    long[] words = new long[10];
    try (RowSort sort = filled(10, 2)) {
      sort.sort(List.of(key(0, 8), key(1, 9)), 1);
      assertThat(calls("launchKernel")).isEqualTo(1 + 2 + 3 * 3 + 1);
      sort.read(0, 0, 10, words, 0);
      sort.read(2, 0, 10, words, 0);
      assertThat(calls("memcpyHtoDAsync")).isEqualTo(1);
      assertThat(calls("memcpyDtoHAsync")).isEqualTo(2);
    }
    try (RowSort sort = filled(10, 2)) {
      sort.sort(List.of(key(0, 0)), 2);
      sort.read(2, 0, 10, words, 0);
      assertThat(calls("launchKernel")).isEqualTo(13 + 1);
      assertThat(calls("memcpyDtoHAsync")).isEqualTo(2);
    }
  }

  @Test
  void whatCannotBeSortedIsRefused() {
    assertThatThrownBy(() -> engine.openSort(0, 1)).isInstanceOf(IllegalArgumentException.class);
    try (RowSort sort = engine.openSort(10, 2).orElseThrow()) {
      assertThatThrownBy(() -> sort.sort(List.of(), 0)).hasMessage("0 of 10 rows are there");
      assertThatThrownBy(() -> zeros(sort, 2, 11)).hasMessage("11 rows come after 0 of 10");
      zeros(sort, 2, 10);
      assertThatThrownBy(() -> sort.read(0, 0, 1, new long[1], 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> sort.sort(List.of(key(2, 1)), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a key is column 2 of 2");
      assertThatThrownBy(() -> sort.sort(List.of(key(0, 60), key(1, 5)), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a key of 5 bits comes after 60 bits");
      assertThatThrownBy(() -> sort.sort(KEYS, 3))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("3 columns are to be returned of 2");
    }
    assertThat(calls("launchKernel")).isZero();
  }

  @Test
  void withoutMemoryAtThisMomentThereIsNoSort() {
    assertThat(engine.openSort(100_000_000, 3)).isEmpty();
    assertThat(engine.openSort(1 << 30, 1 << 30)).isEmpty();
    assertThat(engine.openSort(10, 200_000)).as("lines of too many columns").isEmpty();
    try (RowSort first = engine.openSort(20_000, 2).orElseThrow()) {
      assertThat(engine.openSort(20_000, 2)).as("what is left: %s", first).isEmpty();
    }
    engine.memory.freeIdle();
    gpu.fail("memAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
    assertThat(engine.openSort(20_000, 2)).isEmpty();
  }

  @Test
  void memoryIsLentAgain() {
    for (int i = 0; i < 3; i++) {
      RowSort sort = filled(100, 1);
      sort.sort(KEYS, 1);
      sort.close();
      sort.close();
      assertThatThrownBy(() -> sort.sort(KEYS, 1)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(calls("memAlloc")).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"memcpyHtoDAsync", "launchKernel", "memcpyDtoHAsync", "eventQuery"})
  void aLostDeviceFailsTheSortAndLeaksNothing(String call) {
    try (RowSort sort = engine.openSort(100, 1).orElseThrow()) {
      gpu.fail(call, CUresult.CUDA_ERROR_ILLEGAL_ADDRESS);
      assertThatThrownBy(
              () -> {
                zeros(sort, 1, 100);
                sort.sort(KEYS, 1);
                sort.read(0, 0, 100, new long[100], 0);
              })
          .isInstanceOf(DeviceLostException.class);
    }
  }

  @Test
  void aSortThatFailsHalfWayIsNotRepeated() {
    try (RowSort sort = filled(100, 1)) {
      gpu.failAfter("launchKernel", 3, CUresult.CUDA_ERROR_INVALID_VALUE);
      assertThatThrownBy(() -> sort.sort(KEYS, 1)).isInstanceOf(StencilException.class);
      gpu.fail("launchKernel", CUresult.CUDA_SUCCESS);
      assertThatThrownBy(() -> sort.sort(KEYS, 1))
          .hasMessage("rows are sorted once, also if that fails");
      assertThatThrownBy(() -> sort.read(0, 0, 1, new long[1], 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
