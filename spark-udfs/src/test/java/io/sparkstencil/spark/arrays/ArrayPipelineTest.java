/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.spark.catalyst.interop.MemoryCells;
import io.sparkstencil.testkit.Fault;
import io.sparkstencil.testkit.FaultPlan;
import io.sparkstencil.testkit.FaultyEngineProvider;
import io.sparkstencil.testkit.LeakCheck;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows through engines that fail, and memory that comes back. */
final class ArrayPipelineTest {
  private static final FaultPlan PLAN = FaultPlan.ofProcess();

  @RegisterExtension final LeakCheck leaks = new LeakCheck().watch(PLAN, true);

  @AfterEach
  void forgetFaults() {
    PLAN.reset();
  }

  private static List<double[]> arrays() {
    return IntStream.range(0, 400)
        .mapToObj(i -> IntStream.range(0, i % 97 == 96 ? 300_000 : i).asDoubleStream().toArray())
        .toList();
  }

  private static PartitionPipeline<double[], Integer, double[]> pipeline(StencilEngine engine) {
    Stencil stencil = Stencil.sum(Frame.radius(2)).withBoundary(Boundary.NEAREST);
    ArrayPlan plan =
        ArrayPlan.of(
            List.of(ElementType.F64),
            List.of(new ArrayPlan.InputOperation(0, ArrayOperation.of(ElementType.F64, stencil))));
    return plan.pipeline(
        List.of(engine),
        (array, row) -> {
          row.leaf(0, array.length)
              .set(array, MemoryCells.arrayOffset(ElementType.F64), array.length);
          return array.length;
        },
        (length, results) -> {
          results.begin(0);
          assertThat(results.nextArray()).isEqualTo(length);
          double[] sums = new double[results.resultLength(length)];
          results.copyLeaf(length, sums, MemoryCells.arrayOffset(ElementType.F64));
          return sums;
        });
  }

  private static List<double[]> all(Iterator<double[]> results) {
    List<double[]> all = new ArrayList<>();
    results.forEachRemaining(all::add);
    return all;
  }

  @Test
  void batchesOfEveryEngineComeBackInOrder() {
    PLAN.enable();
    List<double[]> expected;
    try (PartitionPipeline<double[], Integer, double[]> pipeline =
        pipeline(new ReferenceEngine())) {
      expected = all(pipeline.run(arrays().iterator()));
    }
    try (StencilEngine engine = new FaultyEngineProvider().open(Map.of());
        PartitionPipeline<double[], Integer, double[]> pipeline = pipeline(engine)) {
      List<double[]> found = all(pipeline.run(arrays().iterator()));
      assertThat(found).hasSameSizeAs(expected);
      for (int i = 0; i < found.size(); i++) {
        assertThat(found.get(i)).isEqualTo(expected.get(i));
      }
      assertThat(PLAN.batches()).isGreaterThan(4);
      assertThat(pipeline.outputCells())
          .isEqualTo(arrays().stream().mapToLong(array -> array.length).sum());
    }
  }

  @Test
  void closingBeforeTheEndGivesEverythingBack() {
    PLAN.enable();
    try (StencilEngine engine = new FaultyEngineProvider().open(Map.of());
        PartitionPipeline<double[], Integer, double[]> pipeline = pipeline(engine)) {
      Iterator<double[]> results = pipeline.run(arrays().iterator());
      results.next();
      assertThat(results.next()).containsExactly(0);
      assertThat(PLAN.openLeases()).isPositive();
    }
  }

  @Test
  void aFailingBatchFailsItsReader() {
    for (Fault.EngineCall call :
        List.of(Fault.EngineCall.LEASE, Fault.EngineCall.SUBMIT, Fault.EngineCall.AWAIT)) {
      PLAN.enable(new Fault(call, Fault.Symptom.INTERNAL, 2, 1));
      try (StencilEngine engine = new FaultyEngineProvider().open(Map.of());
          PartitionPipeline<double[], Integer, double[]> pipeline = pipeline(engine)) {
        assertThatThrownBy(() -> all(pipeline.run(arrays().iterator())))
            .isInstanceOf(StencilException.class);
      }
    }
  }

  @Test
  void arraysThatCannotBeStagedAreRefusedWithTheirSize() {
    PartitionPipeline<Integer, Integer, Integer> tooLong =
        ArrayPlan.of(
                List.of(ElementType.F64),
                List.of(
                    new ArrayPlan.InputOperation(
                        0, ArrayOperation.of(ElementType.F64, Stencil.sum(Frame.radius(2))))))
            .pipeline(
                List.of(new ReferenceEngine()),
                (length, arrays) -> {
                  arrays.leaf(0, length).set(null, 0, length);
                  return length;
                },
                (length, results) -> length);
    assertThatThrownBy(() -> tooLong.runOne(Integer.MAX_VALUE - 8))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("split the array");
    tooLong.close();
  }
}
