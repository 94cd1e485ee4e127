/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUdevice_attribute;

/** What a {@link FakeGpu} says of itself: the figures of an H200. */
final class FakeAttributes {
  private FakeAttributes() {}

  static int of(int attribute, int capabilityMajor) {
    return switch (attribute) {
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR -> capabilityMajor;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR -> 0;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT -> 132;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR -> 2048;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN -> 227 * 1024;
      default -> 0;
    };
  }
}
