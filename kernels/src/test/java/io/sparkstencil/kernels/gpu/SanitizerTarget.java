/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Segment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A representative set of kernels, for NVIDIA's compute-sanitizer:
 *
 * <pre>
 *   compute-sanitizer --tool memcheck  java -cp ... io.sparkstencil.kernels.gpu.SanitizerTarget
 *   compute-sanitizer --tool racecheck java -cp ... io.sparkstencil.kernels.gpu.SanitizerTarget 5
 * </pre>
 *
 * A number says to run only every so many of the variants. Ends with 1 if a result is wrong.
 */
final class SanitizerTarget {
  private SanitizerTarget() {}

  /** Runs the set. */
  public static void main(String[] args) {
    int every = args.length > 0 ? Integer.parseInt(args[0]) : 1;
    int wrong = 0;
    int checked = 0;
    int seen = 0;
    try (PrimaryContext context = CudaDriver.get().open(0);
        KernelCache kernels = new KernelCache(context)) {
      KernelSource source = new GeneratedKernels(context.traits(), Map.of());
      DeviceTraits device =
          GeneratedKernels.selectorTraits(context.traits(), DeviceProfile.BUILT_IN);
      for (ElementType type : new ElementType[] {ElementType.F32, ElementType.F64}) {
        for (Reduction reduction :
            new Reduction[] {Reduction.MEAN, Reduction.MIN, Reduction.WEIGHTED_SUM}) {
          for (int width : new int[] {3, 33, 129, 513}) {
            for (Accuracy accuracy : Accuracy.values()) {
              for (boolean nulls : new boolean[] {false, true}) {
                FlatStencil what = VariantsGpuTest.flat(reduction, width, type, accuracy, nulls, 0);
                List<KernelVariant> variants = new ArrayList<>();
                for (KernelSchedule how : oneOfEachKind(device, what).values()) {
                  if (seen++ % every == 0) {
                    variants.add(new KernelVariant(what, how));
                  }
                }
                checked += variants.size();
                if (!variants.isEmpty()) {
                  List<String> bad = VariantRun.check(context, kernels, source, variants);
                  bad.forEach(System.out::println);
                  wrong += bad.size();
                }
              }
            }
          }
        }
      }
    }
    wrong += wideEdges() ? 0 : 1;
    System.out.printf("%d variants and wide edges, %d wrong%n", checked, wrong);
    System.exit(wrong == 0 ? 0 : 1);
  }

  /** Least cells of frames of 1201 cells, of which 600 outputs at each end are cut. */
  private static boolean wideEdges() {
    float[] cells = new float[1500];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = (i * 7919L) % 1009;
    }
    StencilSpec spec = new StencilSpec(Stencil.min(Frame.radius(600)), ElementType.F32);
    try (StencilEngine engine = new GpuEngineProvider().open(Map.of());
        PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
            PartitionPipeline.ofSegments(engine, List.of(spec), 1 << 16)) {
      float[] actual =
          (float[])
              pipeline
                  .run(List.of(Segment.series(0, cells, 1)).iterator())
                  .next()
                  .result(0, ElementType.F32);
      for (int i = 0; i < cells.length; i++) {
        float least = Float.POSITIVE_INFINITY;
        for (int j = Math.max(0, i - 600); j <= Math.min(cells.length - 1, i + 600); j++) {
          least = Math.min(least, cells[j]);
        }
        if (actual[i] != least) {
          return false;
        }
      }
      return true;
    }
  }

  private static Map<String, KernelSchedule> oneOfEachKind(DeviceTraits device, FlatStencil what) {
    Map<String, KernelSchedule> kinds = new LinkedHashMap<>();
    for (KernelSchedule how : SearchSpace.candidates(device, what)) {
      kinds.putIfAbsent(how.staging() + "/" + how.form() + "/" + how.coefficients(), how);
    }
    return kinds;
  }
}
