/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code demo}: the main job on measurements of carbon dioxide, and a reaction on a
 * grid.
 */
package io.sparkstencil.jobs.demo;
