/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A representative set of kernels, for NVIDIA's compute-sanitizer:
 *
 * <pre>
 *   compute-sanitizer --tool memcheck  java -cp ... io.sparkstencil.kernels.gpu.SanitizerTarget
 *   compute-sanitizer --tool racecheck java -cp ... io.sparkstencil.kernels.gpu.SanitizerTarget
 * </pre>
 *
 * Ends with 1 if a result is wrong.
 */
final class SanitizerTarget {
  private SanitizerTarget() {}

  /** Runs the set. */
  public static void main(String[] args) {
    int wrong = 0;
    int checked = 0;
    try (PrimaryContext context = CudaDriver.get().open(0);
        KernelCache kernels = new KernelCache(context)) {
      DeviceTraits device = GeneratedKernels.selectorTraits(context.traits());
      FlatRun run = new FlatRun(context, kernels);
      for (ElementType type : new ElementType[] {ElementType.F32, ElementType.F64}) {
        for (Reduction reduction :
            new Reduction[] {Reduction.MEAN, Reduction.MIN, Reduction.WEIGHTED_SUM}) {
          for (int width : new int[] {3, 33, 129, 513}) {
            for (Accuracy accuracy : Accuracy.values()) {
              for (boolean nulls : new boolean[] {false, true}) {
                FlatStencil what = VariantsGpuTest.flat(reduction, width, type, accuracy, nulls, 0);
                for (KernelSchedule how : oneOfEachKind(device, what).values()) {
                  KernelVariant variant = KernelVariant.of(what, how);
                  String message = run.check(variant, 2 * how.outputsPerBlock() + 5, 0, 11);
                  checked++;
                  if (message != null) {
                    System.out.println(message);
                    wrong++;
                  }
                }
              }
            }
          }
        }
      }
    }
    System.out.printf("%d variants, %d wrong%n", checked, wrong);
    System.exit(wrong == 0 ? 0 : 1);
  }

  private static Map<String, KernelSchedule> oneOfEachKind(DeviceTraits device, FlatStencil what) {
    Map<String, KernelSchedule> kinds = new LinkedHashMap<>();
    for (KernelSchedule how : SearchSpace.candidates(device, what)) {
      kinds.putIfAbsent(how.staging() + "/" + how.form() + "/" + how.coefficients(), how);
    }
    return kinds;
  }
}
