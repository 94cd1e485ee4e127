/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What surveys have found, and the file that keeps it. */
package io.sparkstencil.jobs.survey.result;
