/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.survey;

/**
 * The device that was surveyed.
 *
 * @param name the vendor's name
 * @param uuid its identity on any machine
 * @param busId where it sits in its host
 * @param host the host's name
 * @param driver the CUDA version that its driver supports, such as {@code 13.0}
 * @param capability the version of its instruction set, such as {@code 9.0}
 * @param multiprocessors how many multiprocessors it has
 * @param memoryBytes its memory
 * @param cacheBytes its second-level cache
 * @param clockMegahertz the clock of its multiprocessors that was measured while they computed
 */
public record SurveyedDevice(
    String name,
    String uuid,
    String busId,
    String host,
    String driver,
    String capability,
    int multiprocessors,
    long memoryBytes,
    long cacheBytes,
    double clockMegahertz) {}
