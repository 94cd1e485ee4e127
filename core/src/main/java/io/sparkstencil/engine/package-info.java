/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The interface of engines. Imports staging and the model, and never the types of a device. */
package io.sparkstencil.engine;
