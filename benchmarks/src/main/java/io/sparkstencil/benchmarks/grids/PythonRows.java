/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkstencil.benchmarks.harness.PythonScript;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.grid.StencilGrid;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Grids beside libraries of Python with the same cells, if they are here: NumPy on the same cores,
 * or JAX and CuPy on the same GPU.
 */
final class PythonRows {
  private static final int STEPS = 6;
  private static final int REPEATS = 3;

  /** Of more cells, NumPy's copies would take most of the memory. */
  private static final double MOST_CELLS_OF_NUMPY = 1 << 26;

  private final Path scripts;
  private final boolean onGpu;
  private final Number last;
  private final Consumer<BenchmarkRow> rows;

  private PythonRows(Path scripts, boolean onGpu, Number last, Consumer<BenchmarkRow> rows) {
    this.scripts = scripts;
    this.onGpu = onGpu;
    this.last = last;
    this.rows = rows;
  }

  /** Returns the rows of NumPy, with one thread and with as many as there are cores. */
  static PythonRows onCpu(Path scripts, int cores, Consumer<BenchmarkRow> rows) {
    return new PythonRows(scripts, false, cores, rows);
  }

  /**
   * Returns the rows of JAX and CuPy.
   *
   * @param seconds what a measurement lasts, about
   */
  static PythonRows onGpu(Path scripts, double seconds, Consumer<BenchmarkRow> rows) {
    return new PythonRows(scripts, true, seconds, rows);
  }

  /**
   * Measures a case.
   *
   * @param first the grid with its first cells
   * @param subject what was measured
   * @param nanos what it took per cell and step
   */
  void measure(GridCase what, StencilGrid first, String subject, List<Double> nanos)
      throws IOException {
    List<JsonNode> peers = new ArrayList<>();
    if (onGpu) {
      peers.addAll(run(what, "grids_gpu.py", "jax"));
      peers.addAll(run(what, "grids_gpu.py", "cupy"));
    } else if (what.cells() <= MOST_CELLS_OF_NUMPY) {
      peers.addAll(run(what, "grids.py"));
    } else {
      System.out.println("no rows of NumPy: the grid is too large for it");
    }
    if (!peers.isEmpty()) {
      StencilGrid stepped = first.step(STEPS);
      peers.forEach(peer -> add(what, stepped, subject, nanos, peer));
    }
  }

  /** Returns what a script has measured; says what is missing. */
  private List<JsonNode> run(GridCase what, String script, String... library) throws IOException {
    List<Object> arguments = new ArrayList<>(List.of(library));
    String type = what.type() == ElementType.F32 ? "float32" : "float64";
    arguments.addAll(List.of(what.dimensions(), what.size(), type, STEPS, REPEATS, last));
    Optional<JsonNode> printed = PythonScript.run(scripts.resolve(script), arguments);
    List<JsonNode> peers = new ArrayList<>();
    if (printed.isEmpty()) {
      System.out.printf("no rows of %s: Python or NumPy is not here, or it failed%n", arguments);
    } else {
      printed.get().forEach(peers::add);
    }
    peers.stream()
        .filter(peer -> peer.has("missing"))
        .forEach(
            peer ->
                System.out.printf(
                    "no row of %s: %s%n", peer.get("name").asText(), peer.get("missing").asText()));
    peers.removeIf(peer -> peer.has("missing"));
    return peers;
  }

  /** Returns how far compilers that fuse multiplications with additions may move a cell. */
  private double tolerance(ElementType type) {
    if (!onGpu) {
      return 0;
    }
    return type == ElementType.F32 ? 1e-5 : 1e-12;
  }

  /** Returns whether some cells on the diagonal are those of a peer. */
  private boolean isRight(GridCase what, StencilGrid grid, JsonNode cells) {
    boolean right = !cells.isEmpty();
    for (int i = 0; i < cells.size(); i++) {
      long at = i * (what.size() - 1) / (cells.size() - 1);
      List<Long> from = Collections.nCopies(what.dimensions(), at);
      List<Long> to = Collections.nCopies(what.dimensions(), at + 1);
      double cell = Array.getDouble(grid.read("u", Box.between(from, to)), 0);
      right &= Math.abs(cell - cells.get(i).asDouble()) <= tolerance(what.type()) * Math.abs(cell);
    }
    return right;
  }

  private void add(
      GridCase what, StencilGrid grid, String subject, List<Double> nanos, JsonNode peer) {
    List<Double> seconds = new ArrayList<>();
    peer.get("seconds").forEach(each -> seconds.add(each.asDouble()));
    double theirs = 1e9 * Quantiles.median(seconds) / what.cells();
    String precision =
        onGpu ? "up to a relative %.0e".formatted(tolerance(what.type())) : "bit for bit";
    rows.accept(
        BenchmarkRow.of(
            what.name(),
            subject,
            peer.get("name").asText(),
            nanos,
            "ns per cell and step",
            theirs / Quantiles.median(nanos),
            isRight(what, grid, peer.get("cells")),
            "%s cells; version %s: %.3g ns per cell and step; compared %s"
                .formatted(what.sizes(), peer.get("version").asText(), theirs, precision)));
  }
}
