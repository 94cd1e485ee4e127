/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import java.util.List;

/**
 * Updates that do not read each other. The stages of a step follow one another; each reads what
 * those before it wrote.
 *
 * @param updates the fields that are written
 * @param order the nodes that compute them, operands first
 */
public record Stage(List<Update> updates, List<Integer> order) {}
