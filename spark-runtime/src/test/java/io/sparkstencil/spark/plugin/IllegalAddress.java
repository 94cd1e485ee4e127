/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.KernelFunction;
import io.sparkstencil.cuda.LaunchShape;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.DeviceLostException;

/** A kernel that writes where nothing is, after which no context of the process answers. */
public final class IllegalAddress {
  private static final String PTX =
      """
      .version 6.3
      .target sm_70
      .address_size 64
      .visible .entry strike(.param .u64 address)
      {
        .reg .u64 %a;
        ld.param.u64 %a, [address];
        st.global.u32 [%a], 7;
        ret;
      }
      """;

  private IllegalAddress() {}

  /** Runs it on the first device of this process. */
  public static void strike() {
    PrimaryContext context = CudaDriver.get().open(CudaDriver.get().devices().get(0).ordinal());
    KernelFunction kernel = context.loadKernel("strike", PTX);
    CudaStream stream = context.newStream();
    kernel.launch(stream, new LaunchShape(1, 1, 32, 0), 0x10L);
    try {
      stream.synchronize();
      throw new IllegalStateException("a write to address 16 was allowed");
    } catch (DeviceLostException e) {
      System.err.println("as intended: " + e.getMessage());
    }
  }
}
