/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.page;

import io.sparkstencil.benchmarks.page.Section.Table;
import java.util.List;

/** What the page has, in its order. */
final class Sections {
  private static final String H200 = "h200";
  private static final String H100 = "h100";
  private static final String TWO_CORES = "two-cores";
  private static final String TWO_GPUS = "h200-x2";
  private static final String FOUR_GPUS = "h200-x4";
  private static final String ALL = ".*";

  private Sections() {}

  static List<Section> all() {
    return List.of(
        windows(),
        shapes(),
        suite(),
        running(),
        arrays(),
        functions(),
        kernels(),
        programs(),
        grids());
  }

  private static Section windows() {
    return new Section(
        "SQL windows",
        """
        `avg` over k rows to each side, in unchanged queries: without `PARTITION BY`, over 256 (two cores) or 1024 series, the same from rows in random
        order, and with a declared order. `sql` is the engine `auto`, `rows` keeps no columns. Most of the time is shuffle and sort.

        ![Windows: times as fast as Spark](images/performance-windows.svg)""",
        List.of(
            new Table(TWO_CORES, "sql", "sql/avg/.*", ALL, ALL),
            new Table(H200, "sql", "sql/avg/.*", ALL, ALL),
            new Table(H100, "sql", "sql/avg/.*", ALL, ALL)));
  }

  private static Section shapes() {
    String work = "sql/(?!avg/).*";
    return new Section(
        "SQL windows over series of many shapes",
        """
        `avg` of doubles over 1024 series, or many short ones, few, skewed ones, five functions or frames, `bigint`, `decimal`, texts beside. Spark ran over fewer
        rows; ratios with it are of rows per second. The RAPIDS Accelerator adds doubles in another order, so its results differ in their last bits.""",
        List.of(
            new Table(TWO_CORES, "sql", work, ALL, ALL),
            new Table(H200, "sql", work, ALL, ALL),
            new Table(H100, "sql", work, ALL, ALL)));
  }

  private static Section suite() {
    return new Section(
        "Queries as users write them",
        """
        [30 queries](../benchmarks/src/main/resources/io/sparkstencil/benchmarks/windows/suite.sql) with windows over 256 series, against Spark by rows per second, and
        against `rows`, without columns between scan and result. Where columns are not possible, as with `lag` of texts, that ratio is noise.""",
        List.of(new Table(TWO_CORES, "suite", ALL, "sql", ALL)));
  }

  private static Section running() {
    return new Section(
        "Running totals, ranks and ranges",
        "Windows that are no stencils, over one series or 1024, by rows per second.",
        List.of(
            new Table(TWO_CORES, "running", ALL, ALL, ALL),
            new Table(H200, "running", ALL, ALL, ALL),
            new Table(H100, "running", ALL, ALL, ALL)));
  }

  private static Section arrays() {
    return new Section(
        "Arrays of an RDD",
        "From heap to heap. The limit is the link both ways; peers are loops in Java, nested for HotSpot"
            + " (`vectorised`) or not (`plain`).",
        List.of(
            new Table(TWO_CORES, "pipeline", ALL, "cpu", ALL),
            new Table(H200, "pipeline", ALL, "gpu", ALL),
            new Table(TWO_GPUS, "pipeline", ALL, ".*2 GPUs.*", ALL)));
  }

  private static Section functions() {
    String work = "arrays/(mean|min|rapids|iterate).*";
    return new Section(
        "SQL functions on arrays",
        "`copy` is a projection that only copies the column, `transform` the same in Spark's own"
            + " functions.",
        List.of(
            new Table(TWO_CORES, "arrays", work, ALL, ALL),
            new Table(H200, "arrays", work, ALL, ALL)));
  }

  private static Section kernels() {
    return new Section(
        "Kernels of windows on a GPU",
        """
        2^27 cells in device memory, without copies. The limit is the fastest copy that was found. `classic` kernels are the textbooks'.

        ![Kernels: share of the speed of a copy](images/performance-kernels.svg)

        A weighted sum has two roofs: a copy, and multiply-adds, of which an H200 does 16.5 T a second in doubles, or 33.4 T on its tensor cores, where 7 more for each
        cell meet weights of zero. Narrow frames reach the first roof, wide ones the second. Doubles, accuracy `fma`; `#` was measured, `.` is what the lower roof would allow beyond it:

        ```
        taps                  0 % of the fastest copy                       100 %   cells/s  of its roof
          33  fma           |##################################################|    267 G   100 %
              tensor cores  |############################################......|    234 G    88 %
          65  fma           |##########################################......  |    222 G    87 %
              tensor cores  |###########################################.......|    229 G    86 %
          97  fma           |##############################..                  |    158 G    93 %
              tensor cores  |##########################################........|    223 G    83 %
         129  fma           |######################..                          |    120 G    94 %
              tensor cores  |#######################################.......    |    208 G    85 %
         193  fma           |###############.                                  |     81 G    95 %
              tensor cores  |###########################....                   |    143 G    86 %
         257  fma           |###########.                                      |     61 G    95 %
              tensor cores  |#####################...                          |    114 G    90 %
         513  fma           |######                                            |     30 G    94 %
              tensor cores  |###########.                                      |     59 G    92 %
        ```

        65, 129, 257 and 513 taps are rows of the results, the others of another H200 ([75](decisions/0075-nothing-but-products-runs-beside-tensor-cores.md)). The bits are the
        same in both rows: [the survey](survey.md#tensor-cores) compares them on your device.""",
        List.of(
            new Table(
                H200,
                "kernels",
                "kernel/(mean/exact|mean/fast|min/exact|weighted/exact)/f(32|64)/k=(1|8|32|256)",
                "tuned",
                "copy limit|classic-[a-z-]+|torch.*|cupy.*")));
  }

  private static Section programs() {
    return new Section(
        "Stencil programs",
        "Many steps of fields in the memory of the GPU, with the boundary held. Several steps at once are"
            + " faster than a copy for each; peers are the programs of their authors. `inside alone` is the"
            + " kernel without the cells at the ends.",
        List.of(
            new Table(TWO_CORES, "programs", "program/five/exact/f64(/cpu-time)?", "cpu.*", ALL),
            new Table(H200, "programs", "program/[a-z-]+/fma/f(32|64)", "fused steps", ALL),
            new Table(
                H200,
                "programs",
                "program/[a-z-]+/fma/f(32|64)/.+",
                "fused steps",
                "FastStencil|EBISU|AN5D|minimod")));
  }

  private static Section grids() {
    return new Section(
        "Grids over executors",
        "Steps of heat on a grid of Spark's executors, against the program without Spark and libraries of"
            + " Python. [Scaling](scaling.md) projects them to more GPUs.",
        List.of(
            new Table(TWO_CORES, "grids", ALL, ALL, ALL),
            new Table(H200, "grids", ALL, ALL, ALL),
            new Table(TWO_GPUS, "grids", ALL, ALL, ALL),
            new Table(FOUR_GPUS, "grids", ALL, ALL, ALL)));
  }
}
