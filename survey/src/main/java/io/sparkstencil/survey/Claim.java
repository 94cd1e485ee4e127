/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

/**
 * What is published, judged by what was measured here.
 *
 * @param text what you read, with its source and device
 * @param verdict whether it holds on this device
 * @param here the figure that says so, such as {@code 0.82 times the shared-memory kernel at k = 5}
 */
public record Claim(String text, Verdict verdict, String here) {
  /** Whether a claim holds. */
  public enum Verdict {
    /** It holds. */
    YES,
    /** It does not. */
    NO,
    /** It holds under some of the conditions measured. */
    PARTLY
  }
}
