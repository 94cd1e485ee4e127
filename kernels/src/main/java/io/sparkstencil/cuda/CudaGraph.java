/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;

/** Launches that were recorded once, and that one call submits again. */
public final class CudaGraph extends DriverHandle {
  private final CUgraphExec graph;

  private CudaGraph(PrimaryContext context, CUgraphExec graph) {
    super(context);
    this.graph = graph;
  }

  /**
   * Records what is submitted to a stream, which does not run meanwhile.
   *
   * @param work submits launches and copies to {@code stream} alone, and waits for nothing
   */
  static CudaGraph record(PrimaryContext context, CudaStream stream, Runnable work) {
    CUgraph recorded = new CUgraph();
    context.call(
        stream, "cuStreamBeginCapture", driver -> driver.streamBeginCapture(stream.stream));
    try {
      work.run();
    } finally {
      context.call(
          stream, "cuStreamEndCapture", driver -> driver.streamEndCapture(stream.stream, recorded));
    }
    CUgraphExec graph = new CUgraphExec();
    try {
      context.call(
          "cuGraphInstantiate",
          context::toString,
          driver -> driver.graphInstantiate(graph, recorded));
    } finally {
      context.call("cuGraphDestroy", context::toString, driver -> driver.graphDestroy(recorded));
    }
    return new CudaGraph(context, graph);
  }

  /** Submits all that was recorded to a stream. */
  public void launch(CudaStream stream) {
    stream.requireOpen();
    context.call(this, "cuGraphLaunch", driver -> driver.graphLaunch(graph, stream.stream));
  }

  @Override
  int free(DriverCalls driver) {
    return driver.graphExecDestroy(graph);
  }
}
