/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Assembles many variants on all cores. Variants whose texts differ by their names alone are
 * assembled once. Each must be accepted, spill nothing, and stay within the registers and the
 * shared memory that its schedule and its kernel state.
 */
final class AssemblyRun {
  private static final int MAX_SHARED_BYTES = 96 << 10;
  private static final int MAX_SHARED_BYTES_OF_HOPPER = 227 << 10;
  private static final int NEWEST_OF_BUNDLED = 90;
  private static final int PROGRESS = 2000;
  private static final String NAME = "kernel";

  private final String check;
  private final List<Integer> architectures;
  private final Optional<Path> ptxas;
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final LongAdder refused = new LongAdder();
  private final LongAdder spilled = new LongAdder();
  private final AtomicInteger mostRegisters = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final ConcurrentMap<Integer, LongAdder> nanos = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, LongAdder> assembled = new ConcurrentHashMap<>();

  /** A text, with one of the variants that have it. */
  private record Text(String ptx, KernelVariant variant, int sharedBytes) {}

  /**
   * Prepares a run.
   *
   * @param check its name in messages and summaries
   * @param architectures such as 70 for sm_70; those above 90 need {@code ptxas}
   */
  AssemblyRun(String check, List<Integer> architectures, Optional<Path> ptxas) {
    this.check = check;
    this.architectures = architectures;
    this.ptxas = ptxas;
  }

  /** Assembles this process's part of {@code variants}; returns what is wrong with them. */
  List<String> assemble(List<KernelVariant> variants) {
    long start = System.nanoTime();
    ConcurrentMap<String, Text> texts = new ConcurrentHashMap<>();
    variants.parallelStream()
        .map(this::textOf)
        .forEach(text -> texts.merge(text.ptx(), text, AssemblyRun::firstByName));
    List<String> inOrder = new ArrayList<>(texts.keySet());
    inOrder.sort(null); // the same in all processes that share the work
    List<String> mine = ExhaustiveRun.partOf(inOrder);
    System.out.printf(
        "%s: %d variants have %d texts, %d of them here, generated in %.1f s%n",
        check, variants.size(), texts.size(), mine.size(), seconds(start));
    IntStream.range(0, mine.size())
        .parallel()
        .forEach(
            i -> {
              Text text = texts.get(mine.get(i));
              architecturesOf(i).forEach(architecture -> assemble(text, architecture));
              int count = done.incrementAndGet();
              if (count % PROGRESS == 0) {
                System.out.printf("%s: %d texts, %.0f s%n", check, count, seconds(start));
              }
            });
    Map<String, Number> numbers = new LinkedHashMap<>();
    numbers.put("variants", variants.size());
    numbers.put("texts", mine.size());
    for (int architecture : architectures) {
      long count = assembled.getOrDefault(architecture, new LongAdder()).sum();
      numbers.put("sm_" + architecture, count);
      if (count > 0) {
        double millis = nanos.get(architecture).sum() / 1e6 / count;
        numbers.put("millis each for sm_" + architecture, millis);
      }
    }
    numbers.put("refused", refused.sum());
    numbers.put("spilled", spilled.sum());
    numbers.put("most registers", mostRegisters.get());
    numbers.put("faults", faults.size());
    numbers.put("seconds", seconds(start));
    ExhaustiveRun.summarize(check, numbers);
    return List.copyOf(faults);
  }

  /** Returns what a text is assembled for: one device in turn, or all in an exhaustive run. */
  private List<Integer> architecturesOf(int text) {
    return ExhaustiveRun.isAsked()
        ? architectures
        : List.of(architectures.get(text % architectures.size()));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private Text textOf(KernelVariant variant) {
    GeneratedKernel kernel = KernelGenerator.generate(variant);
    boolean hopper = variant.where().architecture() >= PtxTarget.HOPPER.architecture();
    if (kernel.dynamicSharedBytes() > (hopper ? MAX_SHARED_BYTES_OF_HOPPER : MAX_SHARED_BYTES)) {
      faults.add(
          "%s asks for %d bytes of shared memory".formatted(variant, kernel.dynamicSharedBytes()));
    }
    String ptx = kernel.ptx().replace(kernel.entryName(), NAME);
    return new Text(ptx, variant, kernel.staticSharedBytes());
  }

  private static Text firstByName(Text a, Text b) {
    return a.variant().toString().compareTo(b.variant().toString()) <= 0 ? a : b;
  }

  private void assemble(Text text, int architecture) {
    if (text.variant().where().architecture() > architecture) {
      return;
    }
    long start = System.nanoTime();
    PtxAssembler.Report report =
        architecture <= NEWEST_OF_BUNDLED
            ? PtxAssembler.bundled(text.ptx(), architecture)
            : PtxAssembler.with(ptxas.orElseThrow(), text.ptx(), architecture);
    nanos.computeIfAbsent(architecture, key -> new LongAdder()).add(System.nanoTime() - start);
    assembled.computeIfAbsent(architecture, key -> new LongAdder()).increment();
    refused.add(report.accepted() ? 0 : 1);
    spilled.add(report.spilledBytes() > 0 ? 1 : 0);
    mostRegisters.accumulateAndGet(report.registers(), Math::max);
    boolean good =
        report.accepted()
            && report.spilledBytes() == 0
            && report.registers() >= 1
            && report.registers() <= text.variant().how().registerBudget()
            && report.sharedBytes() == text.sharedBytes();
    if (!good) {
      faults.add(
          "%s for sm_%d, %d bytes of shared memory stated: %s"
              .formatted(text.variant(), architecture, text.sharedBytes(), report));
    }
  }
}
