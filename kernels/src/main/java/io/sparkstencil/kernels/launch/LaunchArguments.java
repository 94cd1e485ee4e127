/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.launch;

import io.sparkstencil.kernels.codegen.KernelParameter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Values of kernel parameters, put in the order that a kernel wants. Used by one thread. */
public final class LaunchArguments {
  private final Map<KernelParameter, Long> values = new EnumMap<>(KernelParameter.class);

  /** Sets a parameter. */
  public LaunchArguments set(KernelParameter parameter, long value) {
    values.put(parameter, value);
    return this;
  }

  /** Returns the values of {@code parameters} in their order; each must have been set. */
  long[] inOrder(List<KernelParameter> parameters) {
    long[] args = new long[parameters.size()];
    for (int i = 0; i < args.length; i++) {
      Long value = values.get(parameters.get(i));
      if (value == null) {
        throw new IllegalStateException("a launch lacks its argument " + parameters.get(i));
      }
      args[i] = value;
    }
    return args;
  }
}
