/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.reference.ReferenceEngineProvider;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.testkit.Fault;
import io.sparkstencil.testkit.FaultPlan;
import io.sparkstencil.testkit.FaultyEngineProvider;
import io.sparkstencil.testkit.LeakCheck;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailoverEngineTest {
  private static final FaultPlan PLAN = FaultPlan.ofProcess();
  private static final int BATCH_BYTES = 512 << 10;
  private static final List<StencilSpec> SPECS =
      List.of(
          new StencilSpec(Stencil.mean(Frame.radius(3)), ElementType.F64),
          new StencilSpec(Stencil.max(Frame.offsets(-5, -1)), ElementType.F64));

  private final AtomicInteger admissions = new AtomicInteger();
  private final List<StencilEngine> opened = new ArrayList<>();

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck().watch(PLAN, true).watch("admissions", admissions::get);

  private final Recorder policy = new Recorder();

  /** What the engine has told its owner. */
  private static final class Recorder {
    private final List<String> reactions = new ArrayList<>();
    private int checkpoints;
    private int refuseAt = Integer.MAX_VALUE;
  }

  /** An engine of several, of which the test closes those that need it. */
  private final class Recorded extends FailoverEngine<EngineProvider> {
    private final Map<EngineProvider, StencilEngine> engines = new HashMap<>();
    private final Recorder recorder;

    Recorded(Recorder recorder, EngineProvider... candidates) {
      super(List.of(candidates));
      this.recorder = recorder;
    }

    @Override
    protected String name(EngineProvider candidate) {
      return candidate.name();
    }

    @Override
    protected StencilEngine open(EngineProvider candidate) {
      StencilEngine engine = engines.get(candidate);
      if (engine == null) {
        engine = candidate.open(Map.of());
        engines.put(candidate, engine);
        opened.add(engine);
      }
      return engine;
    }

    @Override
    protected Permit admit(EngineProvider candidate) {
      if (candidate instanceof ReferenceEngineProvider) {
        return super.admit(candidate);
      }
      admissions.incrementAndGet();
      return admissions::decrementAndGet;
    }

    @Override
    protected void checkpoint() {
      if (++recorder.checkpoints >= recorder.refuseAt) {
        throw new IllegalStateException("killed");
      }
    }

    @Override
    protected void failed(EngineProvider candidate, StencilException failure, Reaction reaction) {
      recorder.reactions.add(candidate.name() + " " + failure.code() + " " + reaction);
    }
  }

  @BeforeEach
  void enable() {
    PLAN.enable();
  }

  @AfterEach
  void closeEngines() {
    opened.forEach(StencilEngine::close);
    opened.clear();
    PLAN.reset();
  }

  /** Segments of awkward lengths, some with nulls; the largest spans several batches. */
  private static List<Segment<Integer>> segments() {
    SplittableRandom random = new SplittableRandom(7);
    int[] lengths = {1, 0, 5000, 100_000, 3, 17, 40_000, 0, 9};
    List<Segment<Integer>> segments = new ArrayList<>();
    for (int s = 0; s < lengths.length; s++) {
      double[] cells = random.doubles(lengths[s]).toArray();
      byte[] validity = null;
      if (s % 3 == 2) {
        validity = new byte[lengths[s]];
        for (int i = 0; i < validity.length; i++) {
          validity[i] = (byte) (random.nextInt(10) == 0 ? 0 : 1);
        }
      }
      segments.add(new Segment<>(s, cells, validity, 0, lengths[s], null, null, SPECS.size()));
    }
    return segments;
  }

  private List<Segment<Integer>> expected() {
    Recorded engine = new Recorded(new Recorder(), new ReferenceEngineProvider());
    return run(engine, segments().iterator(), at -> {});
  }

  private Recorded faultyThenReference() {
    return new Recorded(policy, new FaultyEngineProvider(), new ReferenceEngineProvider());
  }

  private static List<Segment<Integer>> run(
      StencilEngine engine, Iterator<Segment<Integer>> source, IntConsumer each) {
    List<Segment<Integer>> results = new ArrayList<>();
    try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
        PartitionPipeline.ofSegments(engine, SPECS, BATCH_BYTES)) {
      Iterator<Segment<Integer>> iterator = pipeline.run(source);
      while (iterator.hasNext()) {
        each.accept(results.size());
        results.add(iterator.next());
      }
    }
    return results;
  }

  private static void assertSameBits(
      List<Segment<Integer>> actual, List<Segment<Integer>> expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int s = 0; s < expected.size(); s++) {
      assertThat(actual.get(s).attachment()).isEqualTo(s);
      for (int k = 0; k < SPECS.size(); k++) {
        assertThat(
                Arrays.equals(
                    (double[]) actual.get(s).result(k, ElementType.F64),
                    (double[]) expected.get(s).result(k, ElementType.F64)))
            .as("values of segment %d, stencil %d", s, k)
            .isTrue();
        assertThat(Arrays.equals(validity(actual.get(s), k), validity(expected.get(s), k)))
            .as("nulls of segment %d, stencil %d", s, k)
            .isTrue();
      }
    }
  }

  /** No validity and validity of nothing but 1 mean the same; which it is depends on batches. */
  private static byte[] validity(Segment<Integer> segment, int k) {
    byte[] validity = segment.resultValidity(k);
    if (validity == null) {
      validity = new byte[segment.length()];
      Arrays.fill(validity, (byte) 1);
    }
    return validity;
  }

  @ParameterizedTest
  @CsvSource({
    "OPEN, UNAVAILABLE, ENGINE_UNAVAILABLE",
    "REASON, REFUSED, UNSUPPORTED",
    "COMPILE, REFUSED, UNSUPPORTED",
    "COMPILE, NOT_COMPILED, KERNEL_COMPILATION",
    "OPEN_LANE, OUT_OF_MEMORY, OUT_OF_DEVICE_MEMORY",
    "LEASE, OUT_OF_MEMORY, OUT_OF_DEVICE_MEMORY",
    "SUBMIT, OUT_OF_MEMORY, OUT_OF_DEVICE_MEMORY",
    "SUBMIT, NOT_COMPILED, KERNEL_COMPILATION",
    "AWAIT, OUT_OF_MEMORY, OUT_OF_DEVICE_MEMORY",
    "OPEN_LANE, DEVICE_LOST, DEVICE_LOST",
    "LEASE, DEVICE_LOST, DEVICE_LOST",
    "SUBMIT, DEVICE_LOST, DEVICE_LOST",
    "AWAIT, DEVICE_LOST, DEVICE_LOST"
  })
  void givesTheSameBitsWhereverAnEngineFails(
      Fault.EngineCall call, Fault.Symptom kind, String code) {
    List<Segment<Integer>> expected = expected();
    for (int from = 1; from <= 5; from += 2) {
      PLAN.enable(new Fault(call, kind, from, 1_000_000));
      policy.reactions.clear();
      Recorded engine = faultyThenReference();
      assertSameBits(run(engine, segments().iterator(), at -> {}), expected);
      if (PLAN.calls(call) >= from) {
        assertThat(policy.reactions).last().isEqualTo("faulty " + code + " NEXT_ENGINE");
        assertThat(engine.name()).isEqualTo("reference");
      }
      closeEngines();
      leaks.verify();
    }
  }

  @Test
  void usesSmallerBatchesBeforeTheNextEngine() {
    PLAN.enable(Fault.at(Fault.EngineCall.LEASE, Fault.Symptom.OUT_OF_MEMORY, 5));
    Recorded engine = faultyThenReference();
    assertSameBits(run(engine, segments().iterator(), at -> {}), expected());
    assertThat(policy.reactions).containsExactly("faulty OUT_OF_DEVICE_MEMORY SMALLER_BATCHES");
    assertThat(engine.name()).isEqualTo("faulty");
  }

  @Test
  void givesUpWhenNoEngineIsLeft() {
    PLAN.enable(Fault.always(Fault.EngineCall.LEASE, Fault.Symptom.OUT_OF_MEMORY));
    Recorded engine = new Recorded(policy, new FaultyEngineProvider());
    assertThatThrownBy(() -> run(engine, segments().iterator(), at -> {}))
        .isInstanceOf(DeviceOutOfMemoryException.class);
    assertThat(policy.reactions)
        .containsExactly(
            "faulty OUT_OF_DEVICE_MEMORY SMALLER_BATCHES", "faulty OUT_OF_DEVICE_MEMORY GIVE_UP");
  }

  @Test
  void passesOnFaultsOfTheLibrary() {
    PLAN.enable(Fault.at(Fault.EngineCall.SUBMIT, Fault.Symptom.INTERNAL, 2));
    Recorded engine = faultyThenReference();
    assertThatThrownBy(() -> run(engine, segments().iterator(), at -> {}))
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("INTERNAL at call 2");
    assertThat(policy.reactions).isEmpty();
  }

  @Test
  void passesOnWhatTheSourceThrowsEvenIfItLooksLikeOurs() {
    RuntimeException upstream = new DeviceOutOfMemoryException("of an engine upstream");
    Iterator<Segment<Integer>> segments = segments().iterator();
    Iterator<Segment<Integer>> source =
        new Iterator<>() {
          private int count;

          @Override
          public boolean hasNext() {
            return segments.hasNext();
          }

          @Override
          public Segment<Integer> next() {
            if (++count == 6) {
              throw upstream;
            }
            return segments.next();
          }
        };
    Recorded engine = faultyThenReference();
    assertThatThrownBy(() -> run(engine, source, at -> {})).isSameAs(upstream);
    assertThat(policy.reactions).isEmpty();
  }

  @Test
  void stopsAtACheckpoint() {
    policy.refuseAt = 2;
    Recorded engine = faultyThenReference();
    assertThatThrownBy(() -> run(engine, segments().iterator(), at -> {})).hasMessage("killed");
  }

  @Test
  void doesNotMoveOnWhenItsThreadIsInterrupted() {
    PLAN.enable(Fault.at(Fault.EngineCall.AWAIT, Fault.Symptom.OUT_OF_MEMORY, 2));
    Recorded engine = faultyThenReference();
    try {
      assertThatThrownBy(
              () -> run(engine, segments().iterator(), at -> Thread.currentThread().interrupt()))
          .isInstanceOf(DeviceOutOfMemoryException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(policy.reactions).isEmpty();
  }

  @Test
  void leavesNothingOpenWhenResultsAreAbandoned() {
    Recorded engine = faultyThenReference();
    PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
        PartitionPipeline.ofSegments(engine, SPECS, BATCH_BYTES);
    assertThat(pipeline.run(segments().iterator()).hasNext()).isTrue();
    assertThat(PLAN.openLanes()).isEqualTo(1);
    assertThat(PLAN.openLeases()).isPositive();
    pipeline.close();
    pipeline.close();
  }

  @Test
  void keepsNoBufferThatWasReturned() throws InterruptedException {
    Recorded engine = faultyThenReference();
    try (Lane lane = engine.openLane()) {
      WeakReference<CellBuffer> returned = new WeakReference<>(leaseAndReturn(lane));
      for (int attempt = 0; attempt < 50 && returned.get() != null; attempt++) {
        System.gc();
        Thread.sleep(10);
      }
      assertThat(returned.get()).as("a buffer that was returned").isNull();
    }
  }

  private static CellBuffer leaseAndReturn(Lane lane) {
    CellBuffer buffer = lane.lease(ElementType.F64, 1000, false);
    buffer.close();
    return buffer;
  }

  @Test
  void addsUpWhatAllEnginesHaveDone() {
    PLAN.enable(Fault.at(Fault.EngineCall.AWAIT, Fault.Symptom.NOT_COMPILED, 3));
    Recorded engine = faultyThenReference();
    List<Segment<Integer>> results = run(engine, segments().iterator(), at -> {});
    long cells = results.stream().mapToLong(Segment::length).sum();
    assertThat(engine.totals().outputCells()).isEqualTo(cells * SPECS.size());
    assertThat(engine.totals().stagedBytes()).isGreaterThan(cells * Double.BYTES);
    assertThat(engine.totals().engineNanos()).isPositive();
    assertThat(engine.deviceTimes().kernelNanos()).isPositive();
    assertThat(engine.deviceBytes()).isBetween(1L, engine.totals().stagedBytes() * 3);
  }

  @Test
  void saysWhyNoEngineRunsAStencil() {
    PLAN.enable(Fault.always(Fault.EngineCall.REASON, Fault.Symptom.REFUSED));
    Recorded engine = new Recorded(policy, new FaultyEngineProvider());
    assertThat(engine.reasonAgainst(SPECS.get(0)))
        .hasValueSatisfying(reason -> assertThat(reason).contains("injected: REFUSED"));
    assertThat(faultyThenReference().reasonAgainst(SPECS.get(0))).isEmpty();
  }
}
