/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.source;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Remembers which kernels suit a program, as finding them takes milliseconds. */
public final class KnownKernels implements FusedSource {
  private static final int MOST = 256;

  private final FusedSource source;
  private final Map<List<Object>, Kernels> known = new Recent(); // guarded by this

  /** The programs that were asked for last. */
  private static final class Recent extends LinkedHashMap<List<Object>, Kernels> {
    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<List<Object>, Kernels> eldest) {
      return size() > MOST;
    }
  }

  /** Remembers what comes from a source. */
  public KnownKernels(FusedSource source) {
    this.source = source;
  }

  @Override
  public Kernels kernels(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    List<Object> key = List.of(traits.program(), type, layout, device);
    synchronized (this) {
      Kernels kernels = known.get(key);
      if (kernels != null) {
        return kernels;
      }
    }
    Kernels kernels = source.kernels(traits, type, layout, device);
    synchronized (this) {
      known.put(key, kernels);
    }
    return kernels;
  }
}
