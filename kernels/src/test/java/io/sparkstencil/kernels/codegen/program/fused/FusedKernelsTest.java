/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.error.CancelledException;
import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.codegen.PtxAssembler;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.lines.LineStreams;
import io.sparkstencil.kernels.codegen.program.planes.PlaneStream;
import io.sparkstencil.kernels.codegen.program.planes.PlaneStreams;
import io.sparkstencil.kernels.codegen.program.rows.RowStreams;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Boundary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels of several steps are accepted by the assembler and spill nothing: those that are chosen
 * first, or, in an {@link ExhaustiveRun}, all that can be.
 */
class FusedKernelsTest {
  private static final DeviceTraits V100 = new DeviceTraits(70, 98_304);
  private static final DeviceTraits A100 = new DeviceTraits(80, 166_912);
  private static final DeviceTraits B200 =
      new DeviceTraits(100, DeviceTraits.H200.sharedBytesPerBlock());
  private static final FusedKernel.Layout LINE =
      new FusedKernel.Layout(List.of(1_000_003), 1_000_032);
  private static final FusedKernel.Layout PLANE = new FusedKernel.Layout(List.of(3001, 4099), 4128);
  private static final FusedKernel.Layout SOLID =
      new FusedKernel.Layout(List.of(401, 509, 1003), 1024);
  private static final FusedKernel.Layout CUBE =
      new FusedKernel.Layout(List.of(160, 160, 160), 160);

  /** By case and device: several tests look at them, and finding them takes most of the time. */
  private static final Map<List<Object>, List<FusedKernel>> CANDIDATES = new ConcurrentHashMap<>();

  private static Stream<FusedCase> cases() {
    return Stream.of(1, 2, 3).flatMap(dimensions -> FusedCase.of(dimensions).stream());
  }

  private static FusedKernel.Layout layout(FusedCase what) {
    return List.of(LINE, PLANE, SOLID).get(what.program().dimensions() - 1);
  }

  private static List<FusedKernel> candidates(FusedCase what, DeviceTraits device) {
    return CANDIDATES.computeIfAbsent(
        List.of(what, device),
        key -> FusedKernels.candidates(what.traits(), what.type(), layout(what), device));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void eachIsFewerStepsThanTheOneBefore(FusedCase what) {
    List<Integer> steps =
        candidates(what, DeviceTraits.H200).stream().map(FusedKernel::steps).toList();
    boolean wide = what.name().startsWith("box of 81");
    int fewest = wide || what.program().dimensions() == 3 ? 1 : 2;
    assertThat(steps).isNotEmpty().doesNotHaveDuplicates().allMatch(count -> count >= fewest);
    assertThat(steps).isSortedAccordingTo(Collections.reverseOrder());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void resultsStayInsideAndAreAligned(FusedCase what) {
    int chunk = 16 / what.type().bytes();
    FusedKernel.Layout layout = layout(what);
    int last = layout.sizes().size() - 1;
    for (FusedKernel kernel : candidates(what, DeviceTraits.H200)) {
      FusedKernel.Span span = kernel.results(layout).orElseThrow();
      for (int axis = 0; axis <= last; axis++) {
        FusedReach reach = FusedReach.of(what.program(), kernel.steps(), axis);
        if (holds(span, layout, axis)) {
          continue;
        }
        assertThat(span.low().get(axis)).isGreaterThanOrEqualTo(reach.before());
        assertThat(span.high().get(axis))
            .isLessThanOrEqualTo(layout.sizes().get(axis) - reach.after())
            .isGreaterThan(span.low().get(axis));
      }
      assertThat(span.low().get(last) % chunk).isZero();
      assertThat(span.high().get(last) % chunk == 0 || holds(span, layout, last)).isTrue();
    }
  }

  /** Tells whether a kernel computes all cells along an axis. */
  private static boolean holds(FusedKernel.Span span, FusedKernel.Layout layout, int axis) {
    return span.low().get(axis) == 0 && span.high().get(axis).equals(layout.sizes().get(axis));
  }

  @Test
  void arraysThatAreTooSmallHaveNone() {
    FusedCase what = FusedCase.of(2).get(0);
    FusedKernel.Layout small = new FusedKernel.Layout(List.of(16, 24), 32);
    assertThat(FusedKernels.candidates(what.traits(), what.type(), small, DeviceTraits.H200))
        .isEmpty();
  }

  /** The search for kernels of a wide program lasts longer than a task may go on after its end. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theSearchEndsWithItsTask(int dimensions) {
    FusedCase what = FusedCase.of(dimensions).get(0);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(
              () ->
                  FusedKernels.fastestFirst(
                      what.traits(), what.type(), layout(what), DeviceTraits.H200))
          .isInstanceOf(CancelledException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Kernels that a process has loaded are known by their names. */
  @Test
  void namesTellKernelsApart() {
    FusedCase what = FusedCase.of(3).get(0);
    Map<String, String> texts = new HashMap<>();
    for (FusedKernel.Layout layout : List.of(SOLID, CUBE)) {
      for (FusedKernel kernel :
          PlaneStreams.fastestFirst(what.traits(), what.type(), layout, DeviceTraits.H200)) {
        String text = kernel.generate().ptx();
        assertThat(texts.computeIfAbsent(kernel.toString(), name -> text)).isEqualTo(text);
      }
    }
    assertThat(texts).hasSizeGreaterThan(5);
  }

  @Test
  void theyAssembleWithoutSpills() {
    Optional<Path> ptxas = PtxAssembler.installed();
    List<FusedCase> cases = cases().toList();
    Queue<String> faults = new ConcurrentLinkedQueue<>();
    AtomicInteger mostRegisters = new AtomicInteger();
    List<FusedCase> mine = ExhaustiveRun.isAsked() ? ExhaustiveRun.partOf(cases) : cases;
    long kernels =
        IntStream.range(0, mine.size())
            .filter(i -> ExhaustiveRun.isAsked() || i % 8 == 0) // an eighth of them is enough here
            .parallel()
            .boxed()
            .flatMap(i -> ExhaustiveRun.isAsked() ? all(mine.get(i)) : some(mine.get(i), i))
            .peek(job -> mostRegisters.accumulateAndGet(job.check(ptxas, faults), Math::max))
            .count();
    ExhaustiveRun.summarize(
        "assembly of fused kernels",
        Map.of("kernels", kernels, "most registers", mostRegisters.get(), "faults", faults.size()));
    assertThat(faults).isEmpty();
  }

  /** Seven points of doubles: the more rows a warp has, the more registers it takes. */
  @Test
  void thoseOfDoublesInSpaceSpillNothingOnDevicesAfterHopper() {
    Optional<Path> ptxas = PtxAssembler.installed();
    assumeThat(ptxas).as("no ptxas on the path").isPresent();
    FusedCase seven = FusedCase.of(3).get(3);
    assertThat(seven).hasToString("seven f64 fma");
    List<PlaneStream> kernels =
        PlaneStreams.fastestFirst(seven.traits(), seven.type(), SOLID, B200).stream()
            .filter(kernel -> kernel.steps() == 4)
            .toList();
    assertThat(kernels).isNotEmpty();
    for (PlaneStream kernel : kernels) {
      PtxAssembler.Report report = PtxAssembler.with(ptxas.get(), kernel.generate().ptx(), 100);
      assumeThat(report.accepted()).as("ptxas knows sm_100").isTrue();
      assertThat(report.spilledBytes()).as(kernel.toString()).isZero();
    }
  }

  /** The more steps and rows there are, the more cells of other rows wait in registers. */
  @ParameterizedTest
  @CsvSource({"f32, 4", "f64, 3"})
  void boxesInSpaceSpillNothing(String type, int steps) {
    FusedCase box = boxOf27(type);
    for (DeviceTraits device : List.of(A100, DeviceTraits.H200)) {
      List<FusedKernel> kernels =
          kernels(box, device).stream().filter(kernel -> kernel.steps() == steps).toList();
      assertThat(kernels).isNotEmpty();
      kernels.parallelStream()
          .forEach(
              kernel -> {
                PtxAssembler.Report report =
                    PtxAssembler.bundled(kernel.generate().ptx(), device.computeCapability());
                assertThat(report.spilledBytes()).as("%s: %s", kernel, report.log()).isZero();
              });
    }
  }

  private static FusedCase boxOf27(String type) {
    return FusedCase.of(3).stream()
        .filter(what -> what.name().equals("box of 27 %s fma".formatted(type)))
        .findFirst()
        .orElseThrow();
  }

  /** A kernel to assemble for a device. */
  private record Job(FusedCase what, FusedKernel kernel, int architecture) {
    /** Adds what is wrong with it to {@code faults}; returns its registers. */
    int check(Optional<Path> ptxas, Queue<String> faults) {
      String ptx = kernel.generate().ptx();
      PtxAssembler.Report report =
          architecture <= 90
              ? PtxAssembler.bundled(ptx, architecture)
              : PtxAssembler.with(ptxas.orElseThrow(), ptx, architecture);
      if (!report.accepted() || report.spilledBytes() > 0) {
        faults.add(
            "%s for %s, sm_%d: %d registers, %d bytes spilled %s"
                .formatted(
                    kernel,
                    what,
                    architecture,
                    report.registers(),
                    report.spilledBytes(),
                    report.accepted() ? "" : report.log()));
      }
      return report.registers();
    }
  }

  /** Returns the first kernel of a case and, in turn, one for an older device or other rules. */
  private static Stream<Job> some(FusedCase what, int turn) {
    Stream<Job> first = firstOf(what, candidates(what, DeviceTraits.H200), 90);
    return switch (turn / 2 % 3) {
      case 0 -> Stream.concat(first, firstOf(what, candidates(what, V100), 70));
      case 1 -> Stream.concat(first, firstOf(what, mirrored(what, DeviceTraits.H200), 90));
      default -> first;
    };
  }

  private static Stream<Job> firstOf(FusedCase what, List<FusedKernel> kernels, int architecture) {
    return kernels.stream().limit(1).map(kernel -> new Job(what, kernel, architecture));
  }

  private static Stream<Job> all(FusedCase what) {
    boolean newest = PtxAssembler.installed().isPresent();
    return Stream.of(
            jobs(what, V100, List.of(70, 75)),
            jobs(what, A100, List.of(80)),
            jobs(what, DeviceTraits.H200, List.of(90)),
            newest ? jobs(what, B200, List.of(100)) : Stream.<Job>empty())
        .flatMap(jobs -> jobs);
  }

  /** Returns all kernels for a device, for each of some architectures that have them. */
  private static Stream<Job> jobs(
      FusedCase what, DeviceTraits device, List<Integer> architectures) {
    return Stream.concat(kernels(what, device).stream(), mirrored(what, device).stream())
        .flatMap(kernel -> architectures.stream().map(sm -> new Job(what, kernel, sm)));
  }

  /** Returns those that would be chosen for another boundary, in rows of no whole chunks. */
  private static List<FusedKernel> mirrored(FusedCase what, DeviceTraits device) {
    FusedCase mirrored =
        new FusedCase(what.name(), what.program().withBoundary(Boundary.MIRROR), what.type());
    List<Integer> sizes = new ArrayList<>(layout(what).sizes());
    sizes.add(sizes.remove(sizes.size() - 1) - 1);
    FusedKernel.Layout odd = new FusedKernel.Layout(sizes, layout(what).pitch());
    return FusedKernels.candidates(mirrored.traits(), mirrored.type(), odd, device);
  }

  private static List<FusedKernel> kernels(FusedCase what, DeviceTraits device) {
    return switch (what.program().dimensions()) {
      case 1 -> List.copyOf(LineStreams.fastestFirst(what.traits(), what.type()));
      case 2 -> List.copyOf(RowStreams.fastestFirst(what.traits(), what.type(), PLANE, device));
      default ->
          Stream.of(SOLID, CUBE)
              .flatMap(
                  layout ->
                      PlaneStreams.fastestFirst(what.traits(), what.type(), layout, device)
                          .stream())
              .map(FusedKernel.class::cast)
              .toList();
    };
  }
}
