/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Surveys of all devices of a cluster at once, and those among them that fall out of line. */
package io.sparkstencil.jobs.survey.cluster;
