/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The way of a partition: plan, stage, apply, unstage. Neither Spark nor device types. */
package io.sparkstencil.pipeline;
