/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.kernels.codegen.edge.EdgeVariant.Form;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant.Task;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import org.junit.jupiter.api.Test;

class EdgeVariantTest {
  private static final Frame NARROW = Frame.precedingFollowing(EdgeVariant.SHARED_CORE_FROM - 2, 0);
  private static final Frame WIDE = Frame.precedingFollowing(EdgeVariant.SHARED_CORE_FROM - 1, 0);

  private static EdgeVariant edges(Stencil stencil, ElementType type, boolean nullable) {
    return EdgeVariant.of(new StencilSpec(stencil, type), nullable).orElseThrow();
  }

  @Test
  void wideFramesShareACoreWhereOrderIsFree() {
    assertThat(edges(Stencil.min(NARROW), ElementType.F32, false).form())
        .isEqualTo(Form.LANE_PER_OUTPUT);
    assertThat(edges(Stencil.min(WIDE), ElementType.F32, false).form()).isEqualTo(Form.SHARED_CORE);
    assertThat(edges(Stencil.max(WIDE), ElementType.I64, false).form()).isEqualTo(Form.SHARED_CORE);
    Stencil fast = Stencil.mean(WIDE).withAccuracy(Accuracy.FAST);
    assertThat(edges(fast, ElementType.F64, false).form()).isEqualTo(Form.SHARED_CORE);
  }

  @Test
  void exactMeansAreSummedLeftToRight() {
    assertThat(edges(Stencil.mean(WIDE), ElementType.F64, false).form())
        .isEqualTo(Form.LANE_PER_OUTPUT);
  }

  @Test
  void whatReadsNoCellsHasNoCore() {
    assertThat(edges(Stencil.count(WIDE), ElementType.F32, false).form())
        .isEqualTo(Form.LANE_PER_OUTPUT);
    Stencil valid = Stencil.max(WIDE).withBoundary(Boundary.VALID);
    assertThat(edges(valid, ElementType.I32, true).form()).isEqualTo(Form.LANE_PER_OUTPUT);
    assertThatThrownBy(
            () -> new EdgeVariant(Task.VALUES, Reduction.COUNT, ElementType.F32, Form.SHARED_CORE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reads no cells");
  }

  @Test
  void sumsNeedNoCorrection() {
    StencilSpec sum = new StencilSpec(Stencil.sum(WIDE), ElementType.F32);
    assertThat(EdgeVariant.of(sum, false)).isEmpty();
    assertThatThrownBy(
            () -> new EdgeVariant(Task.VALUES, Reduction.SUM, ElementType.F32, Form.SHARED_CORE))
        .hasMessageContaining("staged as 0");
  }

  @Test
  void gridsCoverAllOutputsAndPieces() {
    EdgeVariant lanes = edges(Stencil.min(NARROW), ElementType.F32, false);
    EdgeVariant cores = edges(Stencil.min(WIDE), ElementType.F32, false);
    assertThat(lanes.gridX(1)).isEqualTo(1);
    assertThat(lanes.gridX(64)).isGreaterThanOrEqualTo(2);
    assertThat(lanes.gridX(Integer.MAX_VALUE)).isEqualTo(65_535);
    assertThat(lanes.gridY(5)).isEqualTo(2);
    // Outputs clipped on the left and on the right are in groups of their own.
    assertThat(cores.gridX(2)).isGreaterThanOrEqualTo(2);
    assertThat(cores.gridY(5)).isEqualTo(5);
    assertThat(cores.gridY(1 << 20)).isEqualTo(65_535);
  }
}
