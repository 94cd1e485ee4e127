/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/**
 * Kinds of failure, distinguished by how the caller responds.
 *
 * <pre>{@code
 * ErrorCode code = new BadDataException("row 7 is out of order").code(); // BAD_DATA
 * }</pre>
 */
public enum ErrorCode {
  /** An argument or option is wrong: correct the call. */
  INVALID_ARGUMENT,
  /** The data is not as declared: correct the data or the declaration. */
  BAD_DATA,
  /** Cells of a grid grow without bound or cease to be numbers: take shorter steps. */
  DIVERGED,
  /** The engine does not support the stencil: use the next engine. */
  UNSUPPORTED,
  /** An engine requested by name is unavailable: install it or request another. */
  ENGINE_UNAVAILABLE,
  /** Device or pinned memory is exhausted: split the work, then use the next engine. */
  OUT_OF_DEVICE_MEMORY,
  /** The driver rejected a kernel: use another variant, then the next engine. */
  KERNEL_COMPILATION,
  /** The device's context is lost: stop using the device in this process. */
  DEVICE_LOST,
  /** A defect in this library. */
  INTERNAL
}
