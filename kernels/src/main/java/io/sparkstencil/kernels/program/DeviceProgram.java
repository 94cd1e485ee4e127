/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.program.plan.FieldLayout;
import io.sparkstencil.kernels.program.plan.FusedPlan;
import io.sparkstencil.kernels.program.plan.FusedPlans;
import io.sparkstencil.kernels.program.plan.Stages;
import io.sparkstencil.kernels.program.plan.Stored;
import io.sparkstencil.kernels.program.plan.Versions;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A program whose fields are in device memory, where they stay from step to step. Each updated
 * field has two arrays: a pass reads one and writes the other. Used by one thread at a time.
 */
public final class DeviceProgram implements AutoCloseable {
  /**
   * The operations on cells that may wait in a stream: a fraction of a second's. Without a limit,
   * all steps of a long run would have been submitted before it can be told to end.
   */
  private static final double MOST_SUBMITTED = 0x1p35;

  private final ProgramDevice device;
  private final StencilProgram program;
  private final ElementType type;
  private final Extent extent;
  private final CloseScope owned = new CloseScope();
  private final StageKernels kernels;
  private final FieldLayout layout;
  private final PassChoice choice;
  private final ProgramLane lane;
  private final long boundaries;
  private final long scratch;
  private final SortedMap<Integer, Integer> renamed;
  private final StageKernels kernelsOfSingleSteps;
  private final long memoryBytes;
  private Versions versions;

  /** The passes that were taken, by what they read and how many steps they take. */
  private final Map<List<Object>, Pass> passes = new HashMap<>();

  /** Where the memory of fields comes from. */
  @FunctionalInterface
  interface Memory {
    /** Lends memory that is used in a stream. */
    BufferLease<DeviceBuffer> lease(long bytes, CudaStream stream);
  }

  /**
   * Leases memory and streams.
   *
   * @param lender where the memory of the fields comes from
   * @param urgent whether its kernels come before those of other programs
   */
  DeviceProgram(
      ProgramDevice device,
      StencilProgram program,
      ElementType type,
      Extent extent,
      FusedSource source,
      Memory lender,
      boolean urgent) {
    this.device = device;
    this.program = program;
    this.type = type;
    this.extent = extent;
    try {
      ProgramTraits traits = ProgramTraits.of(program);
      String digest = program.digest();
      lane = device.takeLane(urgent);
      owned.add(() -> device.giveBack(lane));
      HeldKernels held = owned.add(device.hold());
      Stages stages = new Stages(traits, type, extent.sizes(), Set.of());
      kernels = new StageKernels(stages, digest, held);
      renamed = Versions.renamed(traits);
      kernelsOfSingleSteps =
          renamed.isEmpty()
              ? kernels
              : new StageKernels(
                  new Stages(traits, type, extent.sizes(), renamed.keySet()), digest, held);
      layout = FieldLayout.ofSizes(type, extent.sizes());
      FusedSource.Kernels fused =
          source.kernels(
              traits, type, layout.forKernels(program.dimensions()), device.traits(traits, type));
      FusedPlans choose = new FusedPlans(stages, renamed.keySet(), layout, device.memoryBytes());
      List<FusedPlan> plans = new ArrayList<>(choose.of(fused.measured(), true));
      plans.addAll(choose.of(fused.estimated(), false));
      choice = new PassChoice(digest, type, plans, held);
      boundaries = owned.add(new BoundaryMemory(device, lane.main(), stages)).address();
      long scratchBytes =
          plans.stream().mapToLong(plan -> plan.scratchBytes(stages)).max().orElse(0);
      long arrayBytes = bytes(program, type, extent);
      BufferLease<DeviceBuffer> memory =
          owned.add(lender.lease(arrayBytes + scratchBytes, lane.main()));
      memoryBytes = memory.buffer().bytes();
      versions = arrays(memory.buffer().address());
      scratch = memory.buffer().address() + arrayBytes;
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  /** Lays the arrays of all fields one after the other. */
  private Versions arrays(long address) {
    List<Stored> current = new ArrayList<>();
    List<Stored> free = new ArrayList<>();
    long at = address;
    for (int field = 0; field < program.fields().size(); field++) {
      current.add(layout.at(at));
      at += layout.bytes();
      free.add(program.updates(field) ? layout.at(at) : current.get(field));
      at += program.updates(field) ? layout.bytes() : 0;
    }
    return new Versions(current, free);
  }

  /** Returns the bytes of device memory that the fields take. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Returns how the fields lie in memory. */
  FieldLayout layout() {
    return layout;
  }

  /** Returns where the cells of a field are, when all steps are done. */
  Stored current(int field) {
    return versions.current().get(field);
  }

  /** Returns the bytes of device memory that a program takes, at least. */
  static long bytes(StencilProgram program, ElementType type, Extent extent) {
    long arrays = (long) program.fields().size() + program.updates().size();
    return arrays * FieldLayout.ofSizes(type, extent.sizes()).bytes();
  }

  /**
   * Copies the cells of all fields to the device.
   *
   * @param threads the most threads to use, at least 1
   */
  public void load(ProgramArrays arrays, int threads) {
    requireArrays(arrays);
    lane.main().synchronize();
    copies(program.fields().size()).load(arrays.arrays(), versions.current(), threads);
  }

  /**
   * Copies the cells of updated fields back, when all steps are done.
   *
   * @param threads the most threads to use, at least 1
   */
  public void store(ProgramArrays arrays, int threads) {
    requireArrays(arrays);
    lane.main().synchronize();
    copies(program.updates().size()).store(versions.current(), arrays.arrays(), threads);
  }

  private FieldCopies copies(int fields) {
    return new FieldCopies(device, layout, kernels.stages().sizes().get(0), fields);
  }

  private void requireArrays(ProgramArrays arrays) {
    arrays.requireFieldsOf(program);
    if (arrays.type() != type || !arrays.extent().equals(extent)) {
      throw new InvalidStencilException(
          "arrays of %s with the extent %s for fields of %s with the extent %s; use arrays of the same type and extent"
              .formatted(arrays.type(), arrays.extent().sizes(), type, extent.sizes()));
    }
  }

  /**
   * Takes steps. Returns as soon as they are submitted to {@link #stream}; of many steps, it waits
   * for the first ones.
   *
   * @param parameters the values of the parameters in each step
   * @param first the number of the first step
   * @param steps the number of steps, at least 0
   * @throws io.sparkstencil.error.CancelledException if the thread is interrupted between passes;
   *     the cells are anything then
   */
  public void step(ParameterValues parameters, long first, int steps) {
    if (steps < 0) {
      throw new InvalidStencilException("%d steps; use at least 0".formatted(steps));
    }
    device.context().enter(); // once, and not for each launch
    try {
      long end = first + steps;
      double submitted = 0;
      for (long step = first; step < end; ) {
        Cancellation.ask();
        Pass pass = pass(end - step);
        List<long[]> scalars = new ArrayList<>();
        for (int i = 0; i < pass.steps(); i++) {
          scalars.add(kernels.scalars(parameters, step + i));
        }
        pass.launch(lane, scalars);
        versions = versions.after(renamed(pass.steps()));
        step += pass.steps();
        submitted += (double) extent.cells() * pass.steps() * program.nodes().size();
        if (submitted > MOST_SUBMITTED) {
          lane.main().synchronize();
          submitted = 0;
        }
      }
    } finally {
      device.context().leave();
    }
  }

  private SortedMap<Integer, Integer> renamed(int steps) {
    return steps == 1 ? renamed : new TreeMap<>();
  }

  private Pass pass(long stepsLeft) {
    PassChoice.Loaded plan = choice.next(stepsLeft).orElse(null);
    List<Object> key = List.of(versions, plan == null ? 0 : plan.steps());
    Pass known = passes.get(key);
    if (known == null) {
      known = owned.add(plan == null ? single() : fused(plan));
      passes.put(key, known);
    }
    return known;
  }

  private Pass single() {
    List<Stored> to = versions.results(renamed);
    return new WholePass(device, lane, kernelsOfSingleSteps, boundaries, versions.current(), to);
  }

  private Pass fused(PassChoice.Loaded plan) {
    return new FusedPass(
        device,
        lane,
        plan.steps() == 1 ? kernelsOfSingleSteps : kernels,
        plan,
        layout.forKernels(program.dimensions()),
        boundaries,
        scratch,
        versions.current(),
        versions.results(renamed(plan.steps())));
  }

  /** Returns the stream in which steps follow one another, for events; owned by this. */
  public CudaStream stream() {
    return lane.main();
  }

  /** Returns how many steps are taken at once, where there are enough: 1 or more. */
  public int stepsAtOnce() {
    return choice.plans().isEmpty() ? 1 : choice.plans().get(0).steps();
  }

  /**
   * Returns the kernel that takes steps where there are enough of them, compiled first if need be;
   * empty if each is taken by itself.
   */
  Optional<FusedKernel> kernel() {
    return choice.next(Long.MAX_VALUE).map(loaded -> loaded.plan().kernel());
  }

  /** Waits for all steps and gives the memory back. */
  @Override
  public void close() {
    try {
      if (lane != null) {
        lane.main().synchronize();
        lane.side().synchronize();
      }
    } finally {
      owned.close();
    }
  }
}
