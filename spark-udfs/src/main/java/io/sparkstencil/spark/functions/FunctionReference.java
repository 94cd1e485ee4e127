/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the reference of the functions from the texts that {@code DESCRIBE FUNCTION} shows. */
public final class FunctionReference {
  private static final String INTRODUCTION =
      """
      # SQL functions on arrays

      <!-- Written by io.sparkstencil.spark.functions.FunctionReference; a test compares. -->

      Each array of a column is a series of its own. The functions are there in SQL, DataFrames,
      PySpark, R and JDBC as soon as the jar is on the class path when the session starts (or
      `spark.sql.extensions=io.sparkstencil.spark.StencilExtensions` is set); in Java they are also
      methods of `ArrayColumns`, and `ArrayStencil` does the same for RDDs of arrays.

      In a projection they run in one operator, `ArrayProject` in the plan, which takes the arrays
      of many rows at once to the engine (`spark.stencil.engine`); functions over the same column
      with the same boundary share the way there. `spark.stencil.sql.arrays.batched=false` switches
      that off; elsewhere (filters, aggregates, lambdas, branches) each array is computed by itself
      on the CPU, with the same bits. With adaptive execution and a shuffle below, `EXPLAIN` shows the
      operator in the final plan only; over an aggregate whose array nothing else reads, Spark makes
      the function part of the aggregate: select the array, too, to have it batched.

      Next to a vectorised Parquet or ORC scan the operator takes arrays out of the columns, and no
      rows are made before it. Where the RAPIDS Accelerator is on, functions whose results have the
      type of the elements (all but counts, means, sums and weighted sums of integers) run on the
      columns that it has in GPU memory, wherever it evaluates expressions, null elements included;
      the others, arrays of arrays, and frames under `'shrink'` that may hold no element, stay
      behind its columns. `spark.stencil.sql.arrays.rapids=false` switches that off.

      ## Types

      | elements | mean | sum | min, max | count | weighted: correlate, convolve, derivative, gaussian, savgol, iterate |
      |---|---|---|---|---|---|
      | float | float | float | float | int | float |
      | double | double | double | double | int | double |
      | int | double | bigint | int | int | double |
      | bigint | double | bigint | bigint | int | double |

      tinyint and smallint are cast to int, decimals to double. Arrays of arrays, of any depth, are
      taken along their innermost arrays. A sum is added up from left to right starting from 0, in
      the type of the result, each product and sum rounded separately; bigint sums wrap.

      ## Boundaries

      The last argument of every function; the examples continue the array `a b c d`.

      | boundary | outside the array | results for n elements |
      |---|---|---|
      | `'shrink'` (default) | nothing: frames are cut, as in SQL windows | n |
      | `'valid'` | no results: only whole frames count | n - preceding - following, or none |
      | `'constant:C'` | `C C C \\| a b c d \\| C C C` | n |
      | `'nearest'` | `a a a \\| a b c d \\| d d d` | n |
      | `'reflect'` | `c b a \\| a b c d \\| d c b` | n |
      | `'mirror'` | `d c b \\| a b c d \\| c b a` | n |
      | `'wrap'` | `b c d \\| a b c d \\| a b c` | n |

      The definitions are those of `scipy.ndimage`, also where a frame is wider than the array. A
      negative `preceding` or `following` counts for nothing in the length under `'valid'`.

      Under `'shrink'` a weighted sum leaves out the places outside the array and is not divided by
      the weights that remain, so the first and last results of a derivative or a filter are of
      little use: `'valid'` cuts them off, `'nearest'` or `'reflect'` continues the array.

      ## NumPy's modes

      With M weights, and an array `a` of N >= M elements:

      | NumPy | here |
      |---|---|
      | `convolve(a, w, 'valid')` | `stencil_convolve(a, w, 'valid')` |
      | `convolve(a, w, 'same')`, odd M | `stencil_convolve(a, w, 'constant:0')` |
      | `convolve(a, w, 'same')`, even M | one place later: NumPy centres an even number of weights half an element to the left, SciPy and we to the right. Ours from its first value on is NumPy's from its second on |
      | `convolve(a, w, 'full')` | `stencil_convolve(concat(z, a, z), w, 'valid')` with `z` of M - 1 zeros |
      | `correlate(a, w, 'valid')` | `stencil_correlate(a, w, 'valid')` |
      | `correlate(a, w, 'same')` | `stencil_correlate(a, w, 'constant:0')`, for an even M too |
      | `correlate(a, w, 'full')` | `stencil_correlate(concat(z, a, z), w, 'valid')` |

      Where N < M, NumPy exchanges array and weights; here `'valid'` gives an empty array.

      ## Nulls

      A null array gives null, an empty one an empty one. Null elements are skipped by mean, sum,
      min, max and count; a frame without any element that is not null gives null (a count, 0). A
      weighted sum is null where any element of its frame is.

      """;

  private FunctionReference() {}

  /** Returns the page, in Markdown. */
  public static String page() {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    page.append("## Functions\n");
    for (ArrayFunction function : ArrayFunction.values()) {
      append(page, FunctionText.of(function));
    }
    return page.toString();
  }

  private static void append(StringBuilder page, FunctionText text) {
    String name = text.function().sqlName();
    page.append("\n### ").append(name).append("\n\n```sql\n");
    text.calls().forEach(call -> page.append(call.replace("_FUNC_", name)).append('\n'));
    page.append("```\n\n").append(text.summary());
    if (!text.note().isEmpty()) {
      page.append(' ').append(text.note());
    }
    page.append("\n\n");
    for (String argument : text.arguments()) {
      int dash = argument.indexOf(" - ");
      page.append("- `").append(argument, 0, dash).append('`').append(argument.substring(dash));
      page.append('\n');
    }
    page.append("\n```sql\n");
    for (FunctionText.Example example : text.examples()) {
      page.append("> ").append(example.query().replace("_FUNC_", name)).append(";\n");
      page.append("  ").append(example.result()).append('\n');
    }
    page.append("```\n");
  }

  /** Writes the page to the file that is the first argument, {@code docs/functions.md}. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, page());
  }
}
