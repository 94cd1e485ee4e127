/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

/** A part of the pipeline's copies, as {@link CopyBenchmark} takes it alone. */
enum CopyPart {
  HOST("arrays to pinned memory and back into new arrays, no link", true, false, false),
  HOST_REUSED("the same into arrays that are used again", true, false, true),
  LINK("link alone, both ways", false, true, false),
  ALL("arrays, link, new arrays", true, true, false),
  ALL_REUSED("arrays, link, arrays that are used again", true, true, true);

  final String label;

  /** Whether arrays are copied to pinned memory and back. */
  final boolean host;

  /** Whether pinned memory is copied to the GPU and back. */
  final boolean link;

  /** Whether results go to arrays that took results before. */
  final boolean reused;

  CopyPart(String label, boolean host, boolean link, boolean reused) {
    this.label = label;
    this.host = host;
    this.link = link;
    this.reused = reused;
  }
}
