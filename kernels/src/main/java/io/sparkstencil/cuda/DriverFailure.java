/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import java.util.Set;
import jcuda.driver.CUresult;

/** What a result code of the driver means for the caller. */
final class DriverFailure {
  /**
   * Codes after which the context answers nothing but errors: CUDA's guide calls them sticky, or
   * the context is gone altogether.
   */
  private static final Set<Integer> STICKY =
      Set.of(
          CUresult.CUDA_ERROR_DEINITIALIZED,
          CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE,
          CUresult.CUDA_ERROR_INVALID_CONTEXT,
          CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
          CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
          CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
          CUresult.CUDA_ERROR_ASSERT,
          CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
          CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
          CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
          CUresult.CUDA_ERROR_INVALID_PC,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_MPS_RPC_FAILURE,
          CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED,
          CUresult.CUDA_ERROR_UNKNOWN);

  private DriverFailure() {}

  /** Tells whether the context cannot be used after this result. */
  static boolean isSticky(int result) {
    return STICKY.contains(result);
  }

  /** Returns the exception for a call that did not succeed. */
  static StencilException of(DriverCalls driver, int result, String call, String facts) {
    String what =
        "%s failed with %s (%d): %s".formatted(call, driver.errorName(result), result, facts);
    if (isSticky(result)) {
      return new DeviceLostException(
          what
              + "; the GPU's context is lost: end this process and look into the kernel log for Xid messages");
    }
    if (result == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      return new DeviceOutOfMemoryException(what + "; use smaller batches or fewer tasks per GPU");
    }
    return new StencilException(ErrorCode.INTERNAL, what);
  }
}
