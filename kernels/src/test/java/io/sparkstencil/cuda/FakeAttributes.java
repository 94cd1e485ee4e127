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
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE -> 60 << 20;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE ->
          capabilityMajor < 8 ? 0 : 37 << 20;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR ->
          228 * 1024;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR -> 65_536;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE -> 3_201_000;
      case CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH -> 6144;
      default -> 0;
    };
  }
}
