/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Flat passes over arrays, by plain loops and by the Vector API: the arithmetic of the CPU engine.
 * Imports staging and the model. Only classes whose names begin with {@code Vector} use the
 * incubating module; those of other element types are derived from these when core is built.
 */
package io.sparkstencil.cpu.passes;
