/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The scalar engine that defines all results. Imports the engine interface and staging. */
package io.sparkstencil.reference;
