/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/**
 * Gathers a column: each word of {@link KernelParameter#OUTPUT} is the word of {@link
 * KernelParameter#INPUT} whose number {@link KernelParameter#INPUT_INDEXES} has there. A thread
 * takes a row.
 */
final class SortGatherKernel {
  private SortGatherKernel() {}

  static GeneratedKernel generate() {
    KernelWriter k =
        new KernelWriter(
            List.of(
                KernelParameter.INPUT,
                KernelParameter.OUTPUT,
                KernelParameter.INPUT_INDEXES,
                KernelParameter.ROWS));
    return RowCode.ofRows(
        SortTask.GATHER,
        k,
        row -> {
          Register indexAt = k.global(KernelParameter.INPUT_INDEXES, row, Integer.BYTES);
          Register index = k.b32("ld.global.nc.b32", at(indexAt, 0));
          Register from = k.global(KernelParameter.INPUT, index, Long.BYTES);
          Register word = k.b64("ld.global.nc.b64", at(from, 0));
          k.put("st.global.b64", at(k.global(KernelParameter.OUTPUT, row, Long.BYTES), 0), word);
        });
  }
}
