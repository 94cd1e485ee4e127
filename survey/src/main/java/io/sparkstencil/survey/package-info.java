/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What a survey of a device asks and finds: experiments, charts of measurements beside predictions,
 * and what holds of the published claims. Numbers and words only; engines measure, jobs draw.
 */
package io.sparkstencil.survey;
