/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The interface of engines. Imports staging, the model and programs, and never the types of a
 * device.
 */
package io.sparkstencil.engine;
