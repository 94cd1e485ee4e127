/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The interface to what runs stencils. Imports staging and the model; never a device's types. */
package io.sparkstencil.engine;
