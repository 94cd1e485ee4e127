/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

/** Kinds of failure, by what the caller does about them. */
public enum ErrorCode {
  /** An argument or option is wrong: correct the call. */
  INVALID_ARGUMENT,
  /** The data breaks a promise that was made about it: correct the data or the promise. */
  BAD_DATA,
  /** This engine cannot run this stencil: use the next engine. */
  UNSUPPORTED,
  /** An engine that was asked for by name is not there: install it or ask for another. */
  ENGINE_UNAVAILABLE,
  /** No device or pinned memory is left: split the work, then use the next engine. */
  OUT_OF_DEVICE_MEMORY,
  /** The driver refused a kernel: use another variant, then the next engine. */
  KERNEL_COMPILATION,
  /** The device's context is gone: stop using the device in this process. */
  DEVICE_LOST,
  /** A fault of this library. */
  INTERNAL
}
