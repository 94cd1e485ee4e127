/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code survey}: asks the experiments of an engine on a device, one after the other,
 * and shows what was found.
 */
package io.sparkstencil.jobs.survey;
