/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What surveys have found, as pictures, pages and tables for people; pages need no network. */
package io.sparkstencil.jobs.survey.page;
