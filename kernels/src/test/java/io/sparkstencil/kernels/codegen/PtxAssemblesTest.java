/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.codegen.edge.EdgeKernel;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.codegen.move.CopyKernel;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.program.watch.StrayKernel;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.ClassicKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleRules;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Assembles what the selector and the search can choose: it must be accepted, spill nothing, and
 * stay within the registers and the shared memory that schedule and kernel state. A fixed sample of
 * the variants, each for one kind of device in turn, unless an {@link ExhaustiveRun} is asked for.
 */
class PtxAssemblesTest {
  private static final int SAMPLE = 24;
  private static final long SEED = 20_261_121;
  private static final int[] FEW_WIDTHS = {3, 65, 129, 257, 513, 4097};

  /** Those as well whose products do not fill the last matrices, on either side of them. */
  private static final int[] MANY_WIDTHS = {
    1, 2, 3, 8, 9, 16, 33, 49, 65, 66, 67, 97, 120, 128, 129, 130, 137, 150, 193, 256, 257, 300,
    513, 1025, 2049, 4097
  };

  private static final DeviceTraits V100 = new DeviceTraits(70, 98_304);
  private static final DeviceTraits A100 = new DeviceTraits(80, 166_912);

  private static List<KernelVariant> sample(List<KernelVariant> variants) {
    if (ExhaustiveRun.isAsked() || variants.size() <= SAMPLE) {
      return variants;
    }
    Random random = new Random(SEED);
    List<KernelVariant> chosen = new ArrayList<>();
    for (int i = 0; i < SAMPLE; i++) {
      chosen.add(variants.get(random.nextInt(variants.size())));
    }
    return chosen;
  }

  private static List<KernelVariant> selected() {
    List<KernelVariant> variants = new ArrayList<>();
    for (int width : KernelCases.WIDTHS) {
      for (FlatStencil what : KernelCases.ofWidth(width)) {
        for (DeviceTraits traits : List.of(V100, A100, DeviceTraits.H200)) {
          variants.add(new KernelVariant(what, ScheduleSelector.select(traits, what)));
        }
      }
    }
    return variants;
  }

  private static List<KernelVariant> searched() {
    List<KernelVariant> variants = new ArrayList<>();
    for (int width : new int[] {3, 17, 65, 129, 257, 513, 9001}) {
      for (ElementType type : ElementType.values()) {
        for (Reduction reduction : KernelCases.reductions(type)) {
          for (Accuracy accuracy : Accuracy.values()) {
            for (boolean nullable : new boolean[] {false, true}) {
              FlatStencil what =
                  KernelCases.withFractions(
                      KernelCases.of(reduction, width, type, accuracy, nullable, width % 2));
              for (KernelSchedule how : SearchSpace.candidates(DeviceTraits.H200, what)) {
                variants.add(new KernelVariant(what, how));
              }
            }
          }
        }
      }
    }
    return variants;
  }

  private static List<KernelVariant> onTensorCores(int... widths) {
    List<KernelVariant> variants = new ArrayList<>();
    for (int width : widths) {
      for (int skew = 0; skew < 2; skew++) {
        FlatStencil what =
            KernelCases.withFractions(
                KernelCases.of(
                    Reduction.WEIGHTED_SUM, width, ElementType.F64, Accuracy.FMA, false, skew));
        for (DeviceTraits traits : List.of(A100, DeviceTraits.H200)) {
          SearchSpace.candidates(traits, what).stream()
              .filter(how -> how.form().matrices().isPresent())
              .forEach(how -> variants.add(new KernelVariant(what, how)));
        }
      }
    }
    return variants;
  }

  /** Of the architectures, the newest needs an assembler that may not be installed. */
  private static void assembleAll(String check, List<KernelVariant> variants) {
    Optional<Path> ptxas =
        PtxAssembler.installed().filter(found -> ExhaustiveRun.isAsked() && knowsBlackwell(found));
    List<Integer> architectures =
        ptxas.isPresent() ? List.of(70, 80, 90, 100) : List.of(70, 80, 90);
    List<String> faults = new AssemblyRun(check, architectures, ptxas).assemble(variants);
    assertThat(faults.stream().limit(20)).isEmpty();
  }

  private static boolean knowsBlackwell(Path ptxas) {
    KernelVariant probe = selected().get(0);
    return PtxAssembler.with(ptxas, KernelGenerator.generate(probe).ptx(), 100).accepted();
  }

  @Test
  void whatTheSelectorChoosesAssemblesWithinItsBudget() {
    assembleAll("assembly of selected variants", sample(selected()));
  }

  @Test
  void whatTheSearchTriesAssemblesWithinItsBudget() {
    assembleAll("assembly of searched variants", sample(searched()));
  }

  @Test
  void tensorCoresOfEachShapeAssembleWithinTheirBudget() {
    int[] widths = ExhaustiveRun.isAsked() ? MANY_WIDTHS : FEW_WIDTHS;
    assembleAll("assembly of tensor cores", sample(onTensorCores(widths)));
  }

  /** Nearly as many products as are written out: compilers load cells of later ones early. */
  @Test
  void longTextsForTensorCoresSpillNothing() {
    List<KernelVariant> longest =
        onTensorCores(150, 162, 174).stream()
            .filter(variant -> variant.how().threadsPerBlock() == 64)
            .filter(variant -> variant.how().cellsPerThread() == 8)
            .toList();
    AssemblyRun run = new AssemblyRun("assembly of long texts", List.of(90), Optional.empty());
    assertThat(run.assemble(longest)).isEmpty();
  }

  @Test
  void aNewerAssemblerAcceptsThemForLaterDevices() {
    Optional<Path> ptxas = PtxAssembler.installed();
    assumeThat(ptxas).as("no ptxas on the path").isPresent();
    assumeThat(knowsBlackwell(ptxas.get())).as("ptxas knows sm_100").isTrue();
    List<KernelVariant> few = sample(selected()).subList(0, SAMPLE / 2);
    assertThat(new AssemblyRun("assembly for sm_100", List.of(100), ptxas).assemble(few)).isEmpty();
  }

  @Test
  void classicKernelsAssemble() {
    List<KernelVariant> variants = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      for (int width : new int[] {3, 65, 513}) {
        FlatStencil what = KernelCases.of(Reduction.SUM, width, type, Accuracy.EXACT, false, 0);
        for (ClassicKernel classic : ClassicKernel.values()) {
          assertThat(ScheduleRules.reasonAgainst(what, classic.schedule(what))).isEmpty();
          variants.add(new KernelVariant(what, classic.schedule(what)));
        }
      }
    }
    assembleAll("assembly of classic kernels", variants);
  }

  @Test
  void edgeCopyAndStrayKernelsAssemble() {
    List<GeneratedKernel> kernels = new ArrayList<>();
    for (EdgeVariant.Task task : EdgeVariant.Task.values()) {
      for (ElementType type : ElementType.values()) {
        for (Reduction reduction : KernelCases.reductions(type)) {
          for (EdgeVariant.Form form : EdgeVariant.Form.values()) {
            edgeVariant(task, reduction, type, form)
                .map(EdgeKernel::generate)
                .ifPresent(kernels::add);
          }
        }
      }
    }
    for (CacheHints hints : CacheHints.values()) {
      kernels.add(new CopyKernel(128, 2, hints).generate());
    }
    for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
      long plane = 5L << 32;
      kernels.add(StrayKernel.generate(new StrayKernel(type, 1e30, 7, 1000, 5000, 1 << 20, plane)));
    }
    for (GeneratedKernel kernel : kernels) {
      PtxAssembler.Report report =
          PtxAssembler.bundled(kernel.ptx(), PtxTarget.VOLTA.architecture());
      assertThat(report.accepted()).as("%s: %s", kernel.entryName(), report.log()).isTrue();
      assertThat(report.spilledBytes()).as(kernel.entryName()).isZero();
    }
  }

  private static Optional<EdgeVariant> edgeVariant(
      EdgeVariant.Task task, Reduction reduction, ElementType type, EdgeVariant.Form form) {
    try {
      return Optional.of(new EdgeVariant(task, reduction, type, form));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Test
  void theAssemblerCanRefuse() {
    PtxAssembler.Report report =
        PtxAssembler.bundled(".version 6.0\n.target sm_70\n.address_size 64\nnonsense", 70);
    assertThat(report.accepted()).isFalse();
    assertThat(report.log()).contains("error");
  }
}
