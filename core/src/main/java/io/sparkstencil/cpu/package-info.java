/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The CPU engine. It runs batches as flat passes over arrays, with the Vector API if the JVM has
 * it. Imports its passes, the engine interface, staging and the model.
 */
package io.sparkstencil.cpu;
