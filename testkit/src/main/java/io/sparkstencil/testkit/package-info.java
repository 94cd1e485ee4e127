/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What the tests of all modules share: the conformance suite of engines and its oracle, engines
 * with injected faults, checks for leaks.
 */
package io.sparkstencil.testkit;
