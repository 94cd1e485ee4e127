/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Stencil programs: expressions over neighbouring cells of fields in one to three dimensions, and
 * what follows from them. Imports only the model and errors.
 */
package io.sparkstencil.program;
