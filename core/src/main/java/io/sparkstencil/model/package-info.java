/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What is computed: stencils, frames, boundaries, element types. Imports only errors. */
package io.sparkstencil.model;
